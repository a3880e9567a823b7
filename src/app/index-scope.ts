// What of a workspace the index covers, and where an answer about it is kept: `project.scope` in the workspace's own file where
// the folder is a project, else among the facts of the user. A `.codehound/` made in a folder of many projects would make one
// workspace of them all.
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { setInFile, unsetInFile } from '../config/edit-file.ts'
import { sourceOf } from '../config/explain.ts'
import { parseKey } from '../config/key-path.ts'
import { configFileIn, type LoadedConfig } from '../config/load-config.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import { workspaceId } from '../store/data-folder.ts'
import type { DetectedBy } from '../workspace/find-root.ts'

export interface ScopeOptions {
  root: string
  detectedBy: DetectedBy
  /** The start folder. */
  cwd: string
  loaded: LoadedConfig
  /** Undefined: nothing is remembered. */
  facts: { getFact(key: string): string | undefined; setFact(key: string, value: string): void } | undefined
}

const KEY = 'project.scope'
const AGAIN = '`codehound index --ask` asks anew.'
const ALL = 'all'
const FOLDER = 'folder '

const factKey = (root: string): string => `large-folder ${workspaceId(root)}`

/** Forgets what was answered, so that it is asked anew. Throws UserError when the workspace's file cannot be written. */
export function forgetScope(root: string, facts: NonNullable<ScopeOptions['facts']>): void {
  if (facts.getFact(factKey(root)) !== undefined) facts.setFact(factKey(root), '')
  unsetInFile(configFileIn(join(root, '.codehound')), parseKey(KEY))
}

export class IndexScope {
  /** The start folder from the root; '' is the root. */
  readonly startFolder: string
  private readonly options: ScopeOptions

  constructor(options: ScopeOptions) {
    this.options = options
    this.startFolder = slashes(relative(options.root, options.cwd))
  }

  /**
   * The folder the index covers, from the root; '' is all of it.
   *
   * @throws UserError when `project.scope` names no folder inside the root
   */
  folder(): string {
    const { scope } = this.options.loaded.config.project
    if (scope === 'folder') return this.startFolder
    if (scope !== 'repository') return this.folderOf(scope, 'project.scope names')
    const fact = this.isChosen() ? undefined : this.fact()
    if (fact?.startsWith(FOLDER) !== true) return ''
    try {
      return this.folderOf(fact.slice(FOLDER.length))
    } catch {
      // It is gone: the question stands anew.
      return ''
    }
  }

  /** Whether it was said what of the workspace is wanted. */
  isAnswered(): boolean {
    const isFolder = (): boolean => this.fact()?.startsWith(FOLDER) === true && this.folder() !== ''
    return this.isChosen() || this.fact() === ALL || isFolder()
  }

  /**
   * A folder of the workspace as it was typed, as a path from the root; '' is the root.
   *
   * @throws UserError when it is none
   */
  folderOf(typed: string, lead = 'The code index cannot keep to'): string {
    const { root } = this.options
    const path = slashes(relative(root, resolve(root, typed)))
    const refuse = (why: string): UserError =>
      new UserError('config', `${lead} ${JSON.stringify(typed)}, ${why}.`, {
        exitCode: EXIT.usage,
        suggestion: `Name a folder inside ${root}, or let codehound index --ask ask anew.`,
      })
    if (!isInside(path)) throw refuse('which lies outside of this workspace')
    let real: string
    try {
      real = realpathSync(join(root, path))
      if (!statSync(real).isDirectory()) throw refuse('which is no folder')
    } catch (error) {
      throw error instanceof UserError ? error : refuse('which is not there')
    }
    // A link in a repository must not take the index elsewhere.
    if (!isInside(relative(realpathSync(root), real))) throw refuse('which leads outside of this workspace')
    return path
  }

  /** What was answered and is kept among the user's data, where that holds; undefined when the configuration says it. */
  remembered(): { folder: string } | 'all' | undefined {
    const isFree = this.options.loaded.config.project.scope === 'repository' && !this.isChosen()
    const fact = isFree && this.isAnswered() ? this.fact() : undefined
    if (fact === undefined) return undefined
    return fact === ALL ? ALL : { folder: fact.slice(FOLDER.length) }
  }

  keepAll(): void {
    this.remember(ALL)
  }

  /** Keeps the folder for the next start; says where. */
  keepFolder(folder: string): string {
    const { root, detectedBy } = this.options
    const place = join(root, '.codehound')
    const file = configFileIn(place)
    if (detectedBy !== 'cwd' && !isLink(place) && !isLink(file))
      try {
        setInFile(file, parseKey(KEY), /^(?:repository|folder)$/.test(folder) ? `./${folder}` : folder)
        this.remember('')
        return `Kept as project.scope in ${slashes(relative(root, file))}; ${AGAIN}`
      } catch {
        // Not to be written: the user's own data are.
      }
    return this.remember(`${FOLDER}${folder}`)
      ? `Remembered for the next start; ${AGAIN}`
      : 'This holds for this session.'
  }

  /** Whether this workspace, or this start, says itself what is covered. */
  private isChosen(): boolean {
    const { layer } = sourceOf(this.options.loaded, ['project', 'scope'])
    return layer !== 'default' && layer !== 'user'
  }

  private fact(): string | undefined {
    return this.options.facts?.getFact(factKey(this.options.root))
  }

  private remember(value: string): boolean {
    try {
      if (value !== '' || this.fact() !== undefined) this.options.facts?.setFact(factKey(this.options.root), value)
      return this.options.facts !== undefined
    } catch {
      return false
    }
  }
}

const slashes = (path: string): string => path.split(sep).join('/')

const isInside = (path: string): boolean => !isAbsolute(path) && path !== '..' && !path.startsWith('../')

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
