import { expect, test } from 'vitest'
import { allowedVariables, commandEnvironment } from './environment.ts'

const UNATTENDED = {
  AI_AGENT: 'codehound',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_EDITOR: 'true',
  npm_config_update_notifier: 'false',
}

test('lets through what programs need and nothing else', () => {
  const environment = commandEnvironment({
    PATH: '/bin',
    LC_ALL: 'C',
    CARGO_HOME: '/c',
    npm_config_registry: 'https://npm.example',
    DB_PASSWORD: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    OPENAI_API_KEY: 'c',
    STRIPE_API_KEY: 'd',
    'npm_config_//npm.example/:_authToken': 'e',
    NPM_CONFIG__AUTH: 'f',
    CODEHOUND_BACKENDS__X__API_KEY: 'g',
    BASH_ENV: '/evil',
    'BASH_FUNC_ls%%': '() { rm x; }',
    LD_PRELOAD: '/evil.so',
    GIT_DIR: '/evil',
    NODE_OPTIONS: '--require /evil.js',
    GONE: undefined,
  })
  expect(environment).toEqual({
    PATH: '/bin',
    LC_ALL: 'C',
    CARGO_HOME: '/c',
    npm_config_registry: 'https://npm.example',
    ...UNATTENDED,
  })
})

test('commands.env adds names, and neither a startup file nor a secret value comes by it', () => {
  const base = { DATABASE_URL: 'x', MYAPP_A: '1', MYAPP_KEY: 'sk-secret', BASH_ENV: '/evil', OTHER: '2' }
  expect(
    allowedVariables(base, { allow: ['DATABASE_URL', 'MYAPP_*', 'BASH_ENV'], secrets: ['sk-secret', ''] }),
  ).toEqual({ DATABASE_URL: 'x', MYAPP_A: '1' })
})

test('extra variables come last, and a person at the terminal keeps pager and editor', () => {
  const base = { PAGER: 'less', HOME: '/h' }
  expect(commandEnvironment(base, { attended: true, extra: { PORT: '1' } })).toEqual({
    PAGER: 'less',
    HOME: '/h',
    AI_AGENT: 'codehound',
    PORT: '1',
  })
})
