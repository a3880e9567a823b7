/**
 * Variables that make another program run, or load another file: before a command they are not ignored (ld.so(8),
 * bash(1), git(1), node, python, perl, ruby, java, less, npm).
 */
const STEERS =
  /^(?:PATH|HOME|SHELL|IFS|ENV|CDPATH|PS4|PROMPT_COMMAND|HISTFILE|LD_.*|DYLD_.*|BASH.*|SHELLOPTS|GIT_.*|SSH_.*|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|PYTHON.*|PERL.*|RUBY.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|PAGER|.*_PAGER|MANPAGER|EDITOR|VISUAL|.*_EDITOR|BROWSER|LESS.*|MAN.*|XDG_.*|TMPDIR|(?:npm|NPM)_(?:config|CONFIG)_.*|YARN_.*|COREPACK_.*|RIPGREP_CONFIG_PATH|GREP_OPTIONS|TAR_OPTIONS|RSYNC_.*|GCONV_PATH|LOCPATH|MAKEFLAGS|CC|CXX|GOFLAGS|CARGO.*|RUST.*|.*_proxy|.*_PROXY|CODEHOUND_.*)$/

/** True for a variable whose value decides what runs. */
export function steersPrograms(name: string): boolean {
  return STEERS.test(name)
}
