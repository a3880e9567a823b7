import { allowedVariables } from '../process/environment.ts'

/** How git reaches what signs a commit of a trusted folder. */
const SIGNING = ['SSH_AUTH_SOCK', 'GPG_TTY', 'GNUPGHOME', 'GPG_AGENT_INFO']

/** The environment for git: what commands get, without what would steer git elsewhere or make it ask. */
export function gitEnvironment(trusted = false): NodeJS.ProcessEnv {
  return {
    ...allowedVariables(process.env, trusted ? { allow: SIGNING } : {}),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_ATTR_NOSYSTEM: '1',
    LC_ALL: 'C',
  }
}
