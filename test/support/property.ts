// Property tests draw their values from a seed. In CI it is that of the tree under test: another for each state of the project,
// the same whenever that state is tested again. Elsewhere every run draws anew. PROPERTY_RUNS is how often, where a test does
// not say so itself (100).
import fc from 'fast-check'
import { inject } from 'vitest'

const seed = inject('propertySeed')
const runs = process.env['PROPERTY_RUNS']
fc.configureGlobal({ ...(seed !== undefined && { seed }), ...(runs && { numRuns: Number(runs) }) })

export default fc
