import { expect, test } from 'vitest'
import { commandEnvironment } from './environment.ts'

test('leaves out model keys by name, configured names, secret values and startup files', () => {
  const environment = commandEnvironment(
    {
      PATH: '/bin',
      OPENAI_API_KEY: 'a',
      MY_KEY: 'b',
      COPY_OF_KEY: 'sk-secret',
      CODEHOUND_BACKENDS__X__API_KEY: 'c',
      BASH_ENV: '/evil',
      'BASH_FUNC_ls%%': '() { rm x; }',
      STRIPE_API_KEY: 'for the tests of the project',
      GONE: undefined,
    },
    { withhold: ['MY_KEY'], secrets: ['sk-secret', ''], extra: { PORT: '1' } },
  )
  expect(environment).toEqual({
    PATH: '/bin',
    STRIPE_API_KEY: 'for the tests of the project',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_EDITOR: 'true',
    npm_config_update_notifier: 'false',
    PORT: '1',
  })
})
