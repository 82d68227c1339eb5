// `node pass-through-program.ts PORT`: the proxy of the router as a process of its own; it prints its port.
import { openPassThrough } from '#server/adapters/llm-proxy/index.ts'

const upstream = () => new URL(`http://127.0.0.1:${process.argv[2]}`)
const { port } = await openPassThrough({ port: 0, token: 'token', upstream, onPassed: () => undefined, onFault: console.error })
console.log(port)
