// Property tests draw their values from a seed. In CI it is that of the tree under test: another for each state of the project,
// the same whenever that state is tested again. Elsewhere every run draws anew.
import fc from 'fast-check'
import { inject } from 'vitest'

const seed = inject('propertySeed')
if (seed !== undefined) fc.configureGlobal({ seed })

export default fc
