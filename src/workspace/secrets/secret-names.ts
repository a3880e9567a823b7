// What a name says about its value, and which values are worth hiding wherever they stand.

const SECRET_NAME =
  /passw(?:or)?d|passphrase|passcode|(?:^|[_.:-])(?:pass|pwd|pin|auth|psk|otp|salt|seed|mnemonic|phrase|cookie)$|secret|token|credential|api[_.-]?key|access[_.-]?key|private[_.-]?key|account[_.-]?key|auth[_.-]?key|signing|encryption|webhook|(?:^|[_.-])key(?:$|[_.-]data$)|(?:Key|Pwd|Pass|Pin)$|dsn$|bearer|authorization|license[_.-]?key/i
/** `TOKEN_URL`, `PASSWORD_MIN_LENGTH`, `MAX_TOKENS`: settings about a secret. `PWD` is the folder a shell is in. */
const ABOUT_A_SECRET =
  /(?:^|[_.-])(?:name|path|file|dir|folder|url|uri|host|hostname|port|ttl|expir\w*|expires(?:[_.-]in)?|age|length|size|count|limit|limits|min|max|type|algorithm|alg|enabled|required|timeout|interval|region|user|username|email|header|prefix|version|rounds|format|mode|sock|socket|policy)$|(?:Name|Path|File|Url|Host|Port|Ttl|Length|Size|Count|Limit|Type|Header|Prefix|Version)$|^(?:max|min|num|n)[_.-]|^(?:OLD)?PWD$|public[_.-]?key|tokens$|keyboard|tokenizer/i

/** Whether a variable's name says that its value is secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !ABOUT_A_SECRET.test(name)
}

const STAND_IN =
  /⟦secret:|^(?:\$|%[A-Za-z_{]|<|\{\{|\*+$|x{3,}|X{3,}|\.{3,}|-+$|todo\b|none$|null$|undefined$)|example|change[_-]?(?:me|this|it)|placeholder|(?:^|[^a-z])your(?:[_-]|[A-Z])|dummy|redacted|replace[_-]?(?:me|this|with)|insert[_-]|process\.env|secrets\.|import\.meta|os\.environ|getenv|x{5,}|\.\.\.$|…$/i

/** Whether a value stands for one that is to be put there (`changeme`, `${VAR}`, `<your key>`). */
export function isStandIn(value: string): boolean {
  return STAND_IN.test(value)
}

/** Settings that stand beside secrets and say nothing. */
const HARMLESS =
  /^(?:true|false|null|none|yes|no|on|off|info|debug|warn|error|development|production|staging|test|local|localhost|utf-?8|\d{1,3}|\d+\.\d+(?:\.\d+)*)$/i

/** Whether a value of a secret file says nothing, whatever its name. */
export function isHarmless(value: string): boolean {
  return value.length < 3 || HARMLESS.test(value) || isStandIn(value)
}

/**
 * Whether a value is so particular that it is hidden wherever it stands. Others (`4821`, `postgres`) would turn up in innocent
 * text: they are hidden beside their name and alone on a line. Rule: 6 characters of two kinds, 8 that are not one word of
 * small letters, 6 digits of which 4 differ and that are not one run (`123456`).
 */
export function isParticular(value: string): boolean {
  if (value.length < 6) return false
  if (/^\d+$/.test(value))
    return new Set(value).size >= 4 && !'01234567890'.includes(value) && !'9876543210'.includes(value)
  if (/^[a-z]+$/i.test(value)) return value.length >= 8 && !/^(?:[a-z]{1,15}|[A-Z][a-z]{1,14}|[A-Z]{1,15})$/.test(value)
  if (/^\s*[\w.-]+(?:\s[\w.-]+)?\s*$/.test(value) && value.length < 8) return /\d/.test(value) && /[A-Za-z]/.test(value)
  return new Set(value).size >= 4
}

/** Bits per character (Shannon). */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
