// A process of its own for the tests of the store: appends messages and says each number once the call has returned.
// node store-writer.ts FILE SESSION COUNT
import { openSessionStore } from '../../src/store/sqlite/session-store.ts'

const [file, sessionId, count] = process.argv.slice(2)
const store = openSessionStore(file!)
for (let n = 1; n <= Number(count); n++) {
  const message = store.append(sessionId!, { sender: 'AI', text: `${process.pid} ${n}` })
  store.replace(sessionId!, message.id, { sender: 'AI', text: `${process.pid} ${n} whole` })
  process.stdout.write(`${message.seq}\n`)
}
store.close()
