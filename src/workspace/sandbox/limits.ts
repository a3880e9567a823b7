/** What one command may take. 0 is no limit. */
export interface CommandLimits {
  processes: number
  /** MiB that one process may fill. */
  memory: number
  /** MiB of one file. */
  fileSize: number
  /** MiB by which free disk space may shrink while a command runs. */
  disk: number
}

/** Turns an argv into one that runs it within the limits of setrlimit(2); they hold for all it starts. */
export function limitedArgv(argv: readonly string[], limits: CommandLimits): string[] {
  const set = [
    // bash counts files in KiB, sh in blocks of 512 bytes when it follows POSIX; bash as sh does too.
    ...(limits.fileSize > 0 ? [`ulimit -f ${limits.fileSize * 2048}`] : []),
    ...(limits.memory > 0 ? [`ulimit -d ${limits.memory * 1024}`] : []),
    // bash calls it -u, dash -p.
    ...(limits.processes > 0 ? [`{ ulimit -u ${limits.processes} || ulimit -p ${limits.processes}; }`] : []),
  ]
  if (set.length === 0) return [...argv]
  return ['/bin/sh', '-c', `{ ${set.join('; ')}; } 2>/dev/null; exec "$@"`, 'sh', ...argv]
}
