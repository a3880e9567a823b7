// What the sandbox and the comparison of the protected set cost: `true` with and without, in a repository of so many files.
//   node bench/sandbox/run.ts [--pairs 20] [--files 10000]
// Pairs are interleaved after two warm-ups; the last line has the medians in milliseconds.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runProcess } from '../../src/workspace/process/run-process.ts'
import { createProtectedGuard } from '../../src/workspace/protected/guard.ts'
import { openSandbox } from '../../src/workspace/sandbox/sandbox.ts'
import { createSecretFileRule } from '../../src/workspace/secrets/secret-files.ts'

const FILES_PER_FOLDER = 20

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '20' }, files: { type: 'string', default: '10000' } },
})

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-bench-')))
const root = join(folder, 'work')
for (let file = 0; file < Number(values.files); file++) {
  const inner = join(
    root,
    `d${Math.floor(file / FILES_PER_FOLDER / 25)}`,
    `e${Math.floor(file / FILES_PER_FOLDER) % 25}`,
  )
  if (file % FILES_PER_FOLDER === 0) mkdirSync(inner, { recursive: true })
  writeFileSync(join(inner, `f${file}.txt`), 'x\n')
}
execFileSync('git', ['init', '-q'], { cwd: root })

const guard = createProtectedGuard({ roots: [root], keepFolder: join(folder, 'kept') })
const rule = createSecretFileRule()
const sandbox = await openSandbox({
  setting: 'strict',
  root,
  home: join(folder, 'home'),
  temp: join(folder, 'temp'),
  isSecret: (path) => rule(path) !== null,
  limits: { processes: 4096, memory: 16_384, fileSize: 16_384, disk: 32_768 },
  places: () => guard.places(),
})

async function time(confined: boolean): Promise<number> {
  const began = performance.now()
  await runProcess({
    command: 'true',
    cwd: root,
    ...(confined
      ? {
          guard: { begin: () => guard.begin({ mounted: true }) },
          wrap: (argv: readonly string[]) => sandbox.wrap(argv, { cwd: root }),
          watchdog: { processes: 4096, disk: 32_768, folders: [root] },
        }
      : {}),
  })
  return performance.now() - began
}

const plain: number[] = []
const confined: number[] = []
const looks: number[] = []
try {
  for (let pair = -2; pair < Number(values.pairs); pair++) {
    const [one, other] = [await time(false), await time(true)]
    const began = performance.now()
    guard.begin({ mounted: true }).end()
    const look = performance.now() - began
    if (pair < 0) continue
    plain.push(one)
    confined.push(other)
    looks.push(look)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

const [without, within, look] = [plain, confined, looks].map((each) => median(each).toFixed(1))
const extra = (Number(within) - Number(without)).toFixed(1)
process.stdout.write(
  `${sandbox.status}\nplain ${without} · confined ${within} · extra ${extra} · of it two looks ${look}\n`,
)
