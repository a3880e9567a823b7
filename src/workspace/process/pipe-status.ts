// How the parts of a command's pipes ended. The exit code of `npm test | tail` is that of `tail`; `set -o pipefail` would tell
// more but also turn `yes | head` and `git log | head -1` into failures. So bash runs the command as it is and says beside it
// how each part of each pipe ended.

/** Descriptor it is told on. */
export const PIPE_STATUS_FD = 3
/** Text of it that is read; a loop can run any number of pipes. */
const MAX_TEXT = 4_096
/** 128 + SIGPIPE: a part whose reader had enough. */
const READER_LEFT = 141

const TELL = `_pipe="\${PIPESTATUS[*]}"; [ "$_pipe" = "\${_pipe% *}" ] || echo "$_pipe" >&${PIPE_STATUS_FD}`

/** A command that uses the descriptor itself, or shows what the shell does, is left alone. */
const OWN_WAY = new RegExp(String.raw`\b${PIPE_STATUS_FD}[<>]|[<>]&\s*${PIPE_STATUS_FD}\b|\bset\s+-\w*x|xtrace`)

/** Whether a command may hold a pipe of which can be told. */
export const hasPipe = (command: string): boolean => /(?:^|[^|])\|(?!\|)/.test(command) && !OWN_WAY.test(command)

/** The command, which also tells how its pipes ended. A loop tells of the last one only: a trap before each command is slow. */
export function tellingPipes(command: string): string {
  const isLoop = /\b(?:for|while|until)\b/.test(command)
  return `trap '${TELL}' ${isLoop ? '' : 'DEBUG '}EXIT; ${command}`
}

/** Gathers what bash tells. */
export class PipeStatus {
  private text = ''

  add(chunk: Buffer): void {
    if (this.text.length < MAX_TEXT) this.text += chunk.toString('latin1')
  }

  /**
   * Exit codes of the pipes in which a part before the last one failed, each pipe once; a part whose reader left early did not.
   */
  failed(): number[][] {
    const lines = new Set(this.text.split('\n').filter((line) => /^\d+(?: \d+)+$/.test(line)))
    const pipes = [...lines].map((line) => line.split(' ').map(Number))
    return pipes.filter((codes) => codes.slice(0, -1).some((code) => code !== 0 && code !== READER_LEFT))
  }
}
