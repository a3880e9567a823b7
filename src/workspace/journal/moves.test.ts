import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTree } from '../../../test/support/tree.ts'
import { openWorkspace } from '../workspace.ts'
import { createMemoryBlobStore } from './blob-store.ts'
import { createMemoryJournalStore } from './memory-journal-store.ts'

/** A workspace whose files are all a day old, so that nothing a command moves looks new by its times. */
function setUp(git: boolean) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'moves-')))
  const root = join(base, 'work')
  mkdirSync(root)
  const sh = (command: string): void => {
    execFileSync('sh', ['-c', command], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  sh(`mkdir -p src/deep/er other empty a/b x && echo one > src/one && echo two > src/deep/two && echo three > src/deep/er/three
      echo o > other/o; echo c > a/b/c; echo same > same; echo SAME > a/same; chmod 755 src/one; chmod 750 src/deep
      ln -s src/one link; ln -s src folder-link; ln -s nowhere broken; echo h > hard; ln hard a/hard2; echo t > Case
      printf 'b\\r\\n' > 'odd
name'; printf ignored\\\\n > .gitignore
      find . -exec touch -h -d '1 day ago' {} +`)
  if (git) sh('git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first')
  const parts = { store: createMemoryJournalStore(), blobs: createMemoryBlobStore() }
  const journal = openWorkspace({ root, journal: parts, durable: false, home: '/nowhere' }).journal!
  const run = async (command: string) => {
    const watch = await journal.watchCommand({ description: command })
    sh(command)
    return await watch.finish()
  }
  const tree = () => readTree(root)
  return { base, root, sh, run, journal, tree, close: () => rmSync(base, { recursive: true }) }
}

const moves: Record<string, string> = {
  'a folder': 'mv src src2',
  'a folder out of another and into a third': 'mv src/deep/er other/; mv a/b x/',
  'a path upwards': 'cd a && mv b/c ../x/c',
  'a file over another': 'mv same a/same',
  'a file to another case': 'mv Case case',
  'a folder to another case': 'mv src Src',
  'a link, and one to a folder': 'mv link link2; mv folder-link x/folder-link',
  'a broken link': 'mv broken a/broken',
  'a folder over an empty one': 'mv -T src empty',
  'two folders that change places': 'mv src t; mv other src; mv t other',
  'a folder that is edited as well': 'mv src src2; echo more >> src2/deep/two; chmod 700 src2/deep; rm src2/one',
  'a folder whose old place is a file now': 'mv src src2; echo file > src; touch -d "2 days ago" src',
  'a folder whose old place is a link to the new one': 'mv src src2; ln -s src2 src',
  'a folder into itself by way of another': 'mv src t; mkdir src; mv t src/old',
  'copies that keep their times': 'cp -a src copy; cp -p same a/same2',
  'an archive with old times': 'tar cf t.tar src other; rm -r src other; mkdir n; tar xf t.tar -C n; rm t.tar',
  'a hard link': 'ln same same2; rm a/hard2',
  'a file that becomes a hard link': 'ln -f same a/same',
  'one of two names edited apart': 'sed -i s/h/H/ hard',
  'both names edited in place': 'echo x >> a/hard2',
  'both names gone': 'rm hard a/hard2',
  'an empty folder that goes, and one that comes': 'rmdir empty; mkdir -p new/deeper',
  'the mode of a folder': 'chmod 700 src/deep other',
  'a read-only folder': 'echo x > other/o; chmod 555 other',
  'a file that becomes a folder': 'rm same; mkdir same; echo in > same/in',
  'a folder that becomes a file': 'rm -r other; echo f > other',
  'a folder that becomes a link': 'rm -r other; ln -s src other; mv x y',
  'a link that becomes the folder it leads to': 'rm folder-link; cp -a src folder-link',
  'the target of a link': 'ln -sfn other folder-link',
  'the same size and times':
    'cp -p same /tmp/ref-$$; printf "SAME\\n" > same; touch -r /tmp/ref-$$ same; rm /tmp/ref-$$',
  'a file with times of long ago': 'echo old > ancient; touch -d 1990-01-01 ancient',
  'a name with a line end': 'mv "odd\nname" "other\nname"; echo x > "a/b/ . "; mkdir "~"; echo h > "~/home"',
  'both forms of a letter':
    'mkdir "$(printf \'e\\314\\201\')" "$(printf \'\\303\\251\')"; echo 1 > "$(printf \'e\\314\\201\')/f"; echo 2 > "$(printf \'\\303\\251\')/f"',
}

for (const git of [false, true]) {
  test.each(Object.entries(moves))(`Undo and redo of %s (git: ${git})`, async (_name, command) => {
    const { run, journal, tree, close } = setUp(git)
    const before = tree()
    const changed = await run(command)
    const after = tree()
    expect(changed?.entry.notKept ?? []).toEqual([])
    if (JSON.stringify(before) !== JSON.stringify(after)) expect(changed).not.toBe(null)
    for (let round = 0; round < 2; round++) {
      expect(journal.undo()).toMatchObject({ ok: true })
      expect(tree()).toEqual(before)
      expect(journal.redo()).toMatchObject({ ok: true })
      expect(tree()).toEqual(after)
    }
    close()
  })
}

test('git mv of a folder is taken back with its files, and what was staged is not journalled', async () => {
  const { run, journal, tree, close } = setUp(true)
  const before = tree()
  await run('git mv src src2 && git mv other src2/other')
  expect(journal.undo()).toMatchObject({ ok: true })
  expect(tree()).toEqual(before)
  close()
})

test.each([
  'mv src src2',
  'mv src other/src; echo x >> other/src/one',
  'mv src t; mv other src; mv t other',
  'mv src/deep d; mv src s; mv s d/',
  'mv src src2; echo file > src',
  'mv src src2; ln -s src2 src',
  'mv -T src empty; mv a/b src',
])('What is ignored goes back with its folder: %s', async (command) => {
  const { run, sh, journal, tree, close } = setUp(true)
  sh('mkdir src/ignored other/ignored src/deep/ignored; for d in src other src/deep; do echo $d > $d/ignored/i; done')
  const before = tree()
  await run(command)
  const after = tree()
  for (let round = 0; round < 2; round++) {
    expect(journal.undo()).toMatchObject({ ok: true })
    expect(tree()).toEqual(before)
    expect(journal.redo()).toMatchObject({ ok: true })
    expect(tree()).toEqual(after)
  }
  close()
})

test('Moves of several commands are undone at once, with what is ignored', async () => {
  const { run, sh, journal, tree, close } = setUp(false)
  sh('mkdir src/ignored; echo i > src/ignored/i')
  const before = tree()
  for (const command of ['mv src x/', 'mv x y', 'mv y/src y/src2; rm y/src2/one', 'rmdir empty']) await run(command)
  const after = tree()
  expect(journal.undo({ count: 4 })).toMatchObject({ ok: true })
  expect(tree()).toEqual(before)
  expect(journal.redo({ count: 4 })).toMatchObject({ ok: true })
  expect(tree()).toEqual(after)
  close()
})

test('Undo refuses where the user put something into a moved folder’s old place', async () => {
  const { run, root, journal, close } = setUp(false)
  await run('mv other other2')
  mkdirSync(join(root, 'other'))
  writeFileSync(join(root, 'other/o'), 'mine\n')
  const all = readTree(root)
  expect(journal.undo()).toMatchObject({ ok: false, code: 'CONFLICT', conflicts: [{ path: 'other/o' }] })
  expect(readTree(root)).toEqual(all)
  close()
})

test('What cannot be kept is named: pipes, names that are no text, repositories inside', async () => {
  const { run, sh, journal, close } = setUp(true)
  sh('mkfifo pipe; printf x > "$(printf \'caf\\351\')"; git init -q x/repo; echo r > x/repo/r')
  const changed = await run(
    'rm pipe; mkfifo pipe2; echo more >> "$(printf \'caf\\351\')"; mv x/repo a/repo; echo s >> a/repo/r',
  )
  expect(changed?.entry.notKept.toSorted()).toEqual(['a/repo/.git', 'caf\\xe9', 'pipe', 'pipe2', 'x/repo/.git'])
  expect(changed?.paths).toContain('a/repo/r')
  expect(journal.undo()).toMatchObject({ ok: true })
  sh('test "$(cat x/repo/r)" = r && test ! -e a/repo/r && test -p pipe2')
  close()
})
