// Seals the contents of secret files: AES-256-GCM under a key that lies apart from the store. Promises: what is sealed cannot
// be read, nor guessed by its name, without the key; what was changed on disk is not opened.

import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Tells keys apart without telling them. */
const KEY_ID_DIGITS = 16

export interface Seal {
  /** The name of a sealed content: a keyed hash of it, a point, the id of the key. Null without a key. */
  nameOf(bytes: Uint8Array): string | null
  close(name: string, bytes: Uint8Array): Buffer
  /** Null when the key is another, or the bytes are damaged. */
  open(name: string, sealed: Buffer): Buffer | null
  /** Whether the key that this was sealed with is here. */
  hasKeyOf(name: string): boolean
}

export function isSealedName(name: string): boolean {
  return name.includes('.')
}

/** A seal with the key in `file`, which is made, for this user alone, when there is something to seal and no key yet. */
export function createSeal(file: string): Seal {
  let known: { key: Buffer; id: string } | undefined

  function key(make: boolean): { key: Buffer; id: string } | undefined {
    if (known !== undefined) return known
    const bytes = readKey(file) ?? (make ? makeKey(file) : undefined)
    if (bytes === undefined) return undefined
    return (known = {
      key: bytes,
      id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, KEY_ID_DIGITS),
    })
  }

  return {
    nameOf(bytes) {
      const own = key(true)
      if (own === undefined) return null
      return `${createHmac('sha256', own.key).update('name').update(bytes).digest('hex')}.${own.id}`
    },
    close(name, bytes) {
      const own = key(true)
      if (own === undefined) throw new Error(`There is no key in ${file}.`)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', own.key, nonce).setAAD(Buffer.from(name))
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    },
    open(name, sealed) {
      const own = key(false)
      if (own === undefined || !name.endsWith(`.${own.id}`) || sealed.length < NONCE_BYTES + TAG_BYTES) return null
      const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)
      const opener = createDecipheriv('aes-256-gcm', own.key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      opener.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
      try {
        return Buffer.concat([opener.update(body), opener.final()])
      } catch {
        return null
      }
    },
    hasKeyOf: (name) => name.endsWith(`.${key(false)?.id}`),
  }
}

function readKey(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file)
    if (bytes.length !== KEY_BYTES) return undefined
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return bytes
  } catch {
    return undefined
  }
}

/** Whole or not at all, and the same for two processes that make one at once; undefined where nothing can be written. */
function makeKey(file: string): Buffer | undefined {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const fd = openSync(temporary, 'wx', 0o600)
    try {
      writeSync(fd, randomBytes(KEY_BYTES))
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    try {
      linkSync(temporary, file)
    } finally {
      unlinkSync(temporary)
    }
  } catch {
    // Another process made one meanwhile, or nothing can be written here.
  }
  return readKey(file)
}
