// What becomes of the first index of a workspace with very many files. Promises that whoever listens is asked while the files
// are still being counted, that an answer is remembered (a cancel for this session only), and that without a listener the index
// goes on with a warning.
import type { IndexScope } from './index-scope.ts'
import type { LargeAnswer, LargeFolder } from '../client/workbench.ts'
import type { FolderSurvey } from '../index/folder-survey.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'

/** Folders offered. */
const MOST_OFFERED = 8
/** How often listeners are told of counts that grow. Milliseconds. */
const TELL_MS = 250

export interface LargeFolderOptions {
  scope: IndexScope
  /** Files above which it is asked. */
  limit: number
  /** `--yes`: it has been answered. */
  agreed: boolean
}

type Wanted = { folder: string } | 'all' | 'unasked'

interface Asked {
  survey: FolderSurvey
  decide: (wanted: Wanted) => void
  cancel: (reason: Error) => void
  timer: NodeJS.Timeout
}

export class LargeFolderQuestion {
  /** The user wants no index in this session. */
  isCancelled = false
  private asked: Asked | undefined
  /** Those who can answer. */
  private readonly listeners = new Set<() => void>()
  /** Those who only want to know. */
  private readonly watchers = new Set<() => void>()
  private readonly options: LargeFolderOptions

  constructor(options: LargeFolderOptions) {
    this.options = options
  }

  /** Tells of the question, its counts and its end. Who listens can be asked. Gives what ends it. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** As `listen`, for who cannot answer. */
  onQuestion(watcher: () => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  /** What is being asked; undefined when nothing is. */
  current(): LargeFolder | undefined {
    if (!this.asked) return undefined
    const { survey } = this.asked
    const { limit, scope } = this.options
    const here = scope.startFolder
    const files = here === '' ? undefined : survey.filesIn(here)
    const likely = survey.likely(limit, MOST_OFFERED).filter(({ path }) => files === undefined || path !== here)
    return {
      files: survey.files,
      isCounting: survey.isCounting,
      limit,
      folders: [...(files === undefined ? [] : [{ path: here, files }]), ...likely].slice(0, MOST_OFFERED),
    }
  }

  /** Whether all files are wanted, as far as that is known without asking. */
  isAgreed(): boolean {
    const { agreed, scope } = this.options
    return agreed || scope.isAnswered()
  }

  /** Asks; gives the folder to keep to. Rejects when no index is wanted. */
  async ask(survey: FolderSurvey): Promise<Wanted> {
    if (this.isAgreed()) return 'all'
    if (this.listeners.size === 0) return 'unasked'
    const { promise, resolve, reject } = Promise.withResolvers<Wanted>()
    const timer = setInterval(() => {
      this.tell()
      if (!survey.isCounting) clearInterval(timer)
    }, TELL_MS).unref()
    this.asked = { survey, decide: resolve, cancel: reject, timer }
    this.tell()
    return promise
  }

  /**
   * Takes the answer and gives what it comes to, in a sentence.
   *
   * @throws UserError when nothing is being asked, or the folder is none of this workspace; the question stands then
   */
  answer(answer: LargeAnswer): string {
    const { asked } = this
    if (!asked) throw new UserError('usage', 'Nothing is being asked about the code index.')
    const { scope } = this.options
    const folder = answer.kind === 'folder' ? scope.folderOf(answer.path) : ''
    if (answer.kind === 'none') {
      this.isCancelled = true
      this.end()
      asked.cancel(this.refusal()!)
      return 'No code index in this session; everything else works. /reindex asks again.'
    }
    this.end()
    if (folder === '') {
      scope.keepAll()
      asked.decide('all')
      return 'The code index reads all files, now and later; `codehound index --ask` asks anew.'
    }
    const where = scope.keepFolder(folder)
    asked.decide({ folder })
    return `The code index keeps to ${folder}/. ${where}`
  }

  /** Nobody is asked any more: the index was closed. */
  end(): void {
    if (!this.asked) return
    clearInterval(this.asked.timer)
    this.asked = undefined
    this.tell()
  }

  /** Why there is no index, for the model; undefined when that has another reason. */
  whyAbsent(): string | undefined {
    const many = `more than ${number(this.options.limit)} files are here`
    if (this.isCancelled)
      return `There is no code index in this session: ${many}, and the user does not want them read.`
    if (!this.asked) return undefined
    return `There is no code index yet: ${many}, and the user is being asked whether to read them.`
  }

  /** The same for a person who asks for the index. */
  refusal(): UserError | undefined {
    if (!this.isCancelled) return undefined
    return new UserError(
      'index',
      `No code index was made: more than ${number(this.options.limit)} files are here, and you did not want them read.`,
      {
        exitCode: EXIT.interrupted,
        suggestion:
          'The next start asks again, and /reindex in a session; project.scope narrows the index to one folder.',
      },
    )
  }

  private tell(): void {
    for (const each of [...this.listeners, ...this.watchers]) each()
  }
}

const number = (count: number): string => count.toLocaleString('en')
