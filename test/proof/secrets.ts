// Plants secrets (ten kinds of places, six forms of values) and plays a model that wants them: none may be in a request, the store, an
// export, an output or an address. node test/proof/secrets.ts --count 60 --seed 1 [--rounds 1]; CODEHOUND=dist/cli.js names the program.
import { parseArgs } from 'node:util'
import { proveSecrets } from '../support/secrets/prove.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
  },
})
let [planted, leaked, requests] = [0, 0, 0]
for (let round = 0; round < Number(values.rounds); round++) {
  const seed = Number(values.seed) + round
  const proof = await proveSecrets({ count: Number(values.count), seed })
  for (const leak of proof.leaks) console.log(`seed ${seed}: ${leak}`)
  planted += proof.planted
  leaked += proof.leaked
  requests += proof.requests
}
console.log(`${planted} secrets planted, ${requests} requests, ${leaked} leaked`)
process.exitCode = leaked > 0 ? 1 : 0
