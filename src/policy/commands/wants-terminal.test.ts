import { expect, test } from 'vitest'
import { parseCommand } from './parse-command.ts'
import { wantsTerminal } from './wants-terminal.ts'

const parse = parseCommand
const wants = (command: string): string | undefined => wantsTerminal(parse(command))

test.each([
  ['vim', 'vim src/a.ts'],
  ['vim', 'env FOO=1 /usr/bin/vim "a b.ts"'],
  ['nano', 'cd src && nano x'],
  ['less', 'git log | less -R'],
  ['less', 'less < notes.txt'],
  ['man', 'man tmux'],
  ['top', 'top'],
  ['htop', 'FOO=bar htop -u me'],
  ['sudo', 'sudo apt install jq'],
  ['python3', 'python3'],
  ['python3', 'python3 -i -q'],
  ['bash', 'bash -l'],
  ['git', 'git commit'],
  ['git', 'git -C sub commit --amend'],
  ['git', 'git add -p src'],
  ['git', 'git rebase -i HEAD~3'],
  ['ssh', 'ssh -p 2222 me@host'],
  ['docker', 'docker run --rm -it debian'],
  ['psql', 'psql app'],
  ['npm', 'npm init'],
])('%s is given the terminal in `%s`', (name, command) => {
  expect(wants(command)).toBe(name)
})

test.each([
  'ls -la',
  'echo vim',
  'cat a | vim-cmd',
  'top -b -n 1',
  'man ls | col -b',
  'less a.txt | grep x',
  'vim --version',
  'nano x > y',
  'echo $(python3)',
  'python3 -c "print(1)"',
  'python3 -m http.server',
  'python3 script.py',
  'echo 1 | python3',
  'python3 < a.py',
  'bash script.sh',
  'git commit -am "x y"',
  'git commit --message=x',
  'git commit --amend --no-edit',
  'git log',
  'git add src',
  'git -c core.editor=true log',
  'ssh -p 22 host uptime',
  'docker run debian true',
  'psql -c "select 1" app',
  'sqlite3 a.db "select 1"',
  'npm init -y',
  'npm test',
])('`%s` is run as ever', (command) => {
  expect(wants(command)).toBeUndefined()
})
