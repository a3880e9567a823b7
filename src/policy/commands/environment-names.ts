/** Variables that a program, a library or bash itself obeys, with what they do; the source stands behind. */
const STEERING: readonly (readonly [names: string, why: string])[] = [
  // bash(1), Shell Variables.
  ['PATH CDPATH HOME SHELL ENV BASH_ENV BASH_.* FUNCNEST', 'what a name runs, and what runs before it'],
  ['PS[0-4] PROMPT_COMMAND PROMPT_DIRTRIM MAILPATH MAIL', 'texts that bash expands'],
  ['GLOBIGNORE EXECIGNORE FIGNORE GLOBSORT', 'which names a pattern finds'],
  ['HISTFILE HISTTIMEFORMAT HIST.* INPUTRC TMPDIR TMP TEMP', 'which files are read and written'],
  // ld.so(8), gconv, catopen(3), resolver(3), terminfo(5).
  [
    'LD_.* DYLD_.* GCONV_PATH LOCPATH NLSPATH GLIBC_TUNABLES MALLOC_.* RES_OPTIONS HOSTALIASES LOCALDOMAIN',
    'libraries',
  ],
  ['TERMINFO.* TERMCAP TERMPATH', 'files of the terminal'],
  // git(1), ssh(1), the programs' own manuals.
  ['GIT_.* SSH_.* GCM_.* SVN_SSH CVS_RSH RSH', 'programs that git and its like start'],
  ['PAGER .*_PAGER MANPAGER EDITOR VISUAL .*_EDITOR BROWSER LESS.* MAN.* VIMINIT EXINIT MYVIMRC', 'pagers and editors'],
  [
    'RIPGREP_CONFIG_PATH FZF_.* BAT_.* GREP_OPTIONS TAR_OPTIONS RSYNC_.* GZIP XZ_.* ZSTD_.* TAPE',
    'options from elsewhere',
  ],
  ['CURL_HOME WGETRC SYSTEM_WGETRC NETRC OPENSSL_.* SSL_CERT_.* .*_proxy .*_PROXY', 'where connections lead'],
  // Languages and their tools.
  [
    'NODE_(?!ENV$).* npm_.* NPM_.* YARN_.* PNPM_.* COREPACK_.* BUN_.* DENO_.* TS_NODE_.* ESLINT_.*',
    'code that is loaded first',
  ],
  [
    'PYTHON.* PIP_.* VIRTUAL_ENV CONDA.* PERL.* RUBY.* GEM_.* BUNDLE_.* LUA_.* PHPRC PHP_.*',
    'code that is loaded first',
  ],
  ['JAVA_.* JDK_.* _JAVA_OPTIONS CLASSPATH MAVEN_.* GRADLE_.* KOTLIN_.*', 'code that is loaded first'],
  [
    'MAKEFLAGS MAKEFILES GNUMAKEFLAGS CC CXX LD AR AS CFLAGS CXXFLAGS LDFLAGS GO[A-Z0-9]* CGO_.* CARGO.* RUST.*',
    'what a build runs',
  ],
  ['AWS_.* KUBECONFIG KUBE.* DOCKER_.* GOOGLE_.* AZURE_.* XDG_.* GNUPGHOME GPG_.*', 'settings that name programs'],
  ['CODEHOUND_.*', 'settings of this program'],
]

/** Variables that change how bash reads a text (bash(1): POSIX mode, compatibility, history expansion). */
const CHANGES_READING =
  /^(?:POSIXLY_CORRECT|BASH_COMPAT|BASHOPTS|SHELLOPTS|BASH_ALIASES|BASH_CMDS|BASH_FUNC_.*|histchars)$/
/** Those of the locale do so where it is of more than one byte and not UTF-8 (locale(7)). */
const LOCALE = /^(?:LANG|LANGUAGE|LC_.*)$/
const PLAIN_LOCALE = /^(?:|C|POSIX|(?:C|[a-z]{2,3}(?:_[A-Z]{2})?)\.(?:UTF-8|utf-?8))$/

const STEERS = new RegExp(`^(?:${STEERING.flatMap(([names]) => names.split(' ')).join('|')})$`)

/** Variables that programs obey in no other way than in how they print. */
const HARMLESS =
  /^(?:_|IFS|CI|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|COLORTERM|CLICOLOR.*|GREP_COLORS?|LS_COLORS|TIME_STYLE|BLOCK_SIZE|DEBUG|VERBOSE|NODE_ENV|SOURCE_DATE_EPOCH|REPLY|MAPFILE|COPROC|COPROC_PID|OPTARG|OPTIND|OPTERR|OLDPWD|PWD|USER|LOGNAME)$/

/** What setting a variable may do: nothing, decide what runs, change how the text is read, or nobody knows. */
export type VariableEffect = 'none' | 'steers' | 'changes-reading' | 'unknown'

/** Tells what it does to set a variable; `unknown` is a name that no list here has. */
export function variableEffect(name: string, value?: string): VariableEffect {
  if (LOCALE.test(name)) return value !== undefined && PLAIN_LOCALE.test(value) ? 'none' : 'changes-reading'
  if (CHANGES_READING.test(name)) return 'changes-reading'
  // A zone may be a file.
  if (name === 'TZ' && !/^[A-Z][\w+/-]*$/i.test(value ?? '')) return 'steers'
  if (STEERS.test(name)) return 'steers'
  return HARMLESS.test(name) ? 'none' : 'unknown'
}
