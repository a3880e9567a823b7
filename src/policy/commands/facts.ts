/** What a walk through a folder meets. Paths are absolute and real. */
export interface Reach {
  /** Secret files; those of installed packages and of git's own folder are left out. */
  secrets: readonly string[]
  /** Where links lead that were followed. */
  linked: readonly string[]
  /** False when the folder holds more than was looked at. */
  complete: boolean
}

/**
 * What the policy may know of the world, as a port: policy reads no file itself. Paths are absolute. Every answer is
 * one of a moment; what is judged is judged again when it is asked again.
 */
export interface CommandFacts {
  /** The user's home folder. */
  home: string
  /** Temporary folders that commands may write in. */
  temp: readonly string[]
  /**
   * Where a path leads, links taken component by component as the kernel does; it is given as written, `..` included.
   * Where nothing exists the rest of the path stays as it is.
   */
  realPath(path: string): string
  /** Names in a folder; an empty list when it is none. */
  listFolder(path: string): readonly string[]
  /** True for a file that is neither read nor sent (`.env`, private keys); the user's exceptions are already out. */
  isSecret(path: string): boolean
  /** True when git ignores this path, whether or not something is there: a build can make it again. */
  isIgnored(path: string): boolean
  /** Secret files that git tracks or once did, named from the root of the workspace; those of the index alone where history is too long. */
  secretsInHistory(): readonly string[]
  /** What a reader that goes through a folder would meet, with links followed or not. */
  reach(folder: string, follow: boolean): Reach
  /** True when a program of this name is installed in the workspace (`node_modules/.bin`). */
  isInstalled(name: string): boolean
  /** True when this file was changed in this session, by a tool or a command. */
  isChanged(path: string): boolean
  /** True when any file that a program may load was changed in this session, by a tool or a command. */
  isCodeChanged(): boolean
  /** True when the scripts of the package in this folder are other than when the session started. */
  scriptsChanged(folder: string): boolean
  /** True for a variable of the environment that commands get; without it only those that are exported count. */
  isInEnvironment?(name: string): boolean
  /** The script of this name in the package.json of a folder; undefined when there is none. */
  scriptText(folder: string, name: string): string | undefined
  /** True when a variable that commands are given looks like a secret. */
  environmentHasSecrets(): boolean
  /** Names of git hooks that would run in this repository, such as `pre-commit`. */
  gitHooks(): readonly string[]
}
