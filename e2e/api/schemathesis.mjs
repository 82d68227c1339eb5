// Fuzzes the API from its OpenAPI document with schemathesis (PyPI). No input may cause a 5xx, and most operations must
// answer with success at least once. It uses the built server with a temporary home and data directory.
// `npm test` takes the phase that covers each value of the document once, and a few random requests for each operation. `npm run soak` takes
// all phases, with a seed of its own. BASHGYM_FUZZ_OPERATIONS: a pattern of the operations to call, for trying one out.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { cacheDir } from '../../scripts/lib/probe.mjs'
import forkTrainers from '../support/forking.ts'
import { makeWorkspace, startServer } from '../support/server.ts'
import { seed } from './seed.mjs'

const venv = path.join(cacheDir, 'schemathesis')
const program = path.join(venv, 'bin', 'schemathesis')
if (!fs.existsSync(program)) {
  run('python3', ['-m', 'venv', venv])
  run(path.join(venv, 'bin', 'pip'), ['install', '--quiet', 'schemathesis'])
}

/** Minimum share of the reachable operations that must answer 2xx at least once. */
const LEAST_SHARE = 0.9
/** A Python that can train; without it there are no runs and no models. */
const endForking = forkTrainers()
const python = process.env.BASHGYM_TEST_PYTHON || null
/** Operations that cannot succeed here: there is no provider, no model on the hub, no browser that signs in, and no agent with a question. */
const OUT_OF_REACH = new Set([
  'estimateSynthetic',
  'generateSynthetic',
  'resumeSynthetic',
  'lookUpBaseModel',
  'lookUpShellTasks',
  'openSession',
  'answerTask',
])
/**
 * Each call of these would train, convert or serve a model, or needs an active run. e2e/trainers and e2e/web test them with success.
 * Here they are called on a second server with the same data but without a Python, so that they start no long work.
 */
const WORKING = [
  'startRun',
  'startMatrix',
  'dryRun',
  'pauseRun',
  'resumeRun',
  'exportModel',
  'chatWithModel',
  'keepEnvironment',
  'deleteArtifact',
  'startServing',
  'stopServing',
]
/**
 * These end the sandbox that other operations use (the fuzzer takes ids from responses), block its commands, or use up
 * capacity and disk, so they are called last, on the second server.
 */
const SANDBOXES = [
  'stopSandbox',
  'takeOverSandbox',
  'handBackSandbox',
  'startSandbox',
  'forkSandbox',
  'takeSandboxSnapshot',
  'removeSandboxSnapshot',
]
/** Their bodies are those of the operation beside them, which covers each value: a tenth of the requests find what is their own. */
const SAME_BODY = new Map([
  ['planMatrix', 'planRun'],
  ['savePreset', 'planRun'],
  ['startRun', 'planRun'],
  ['startMatrix', 'planRun'],
  ['dryRun', 'planRun'],
  ['planBatch', 'createBatch'],
  ['planDataset', 'buildDataset'],
  ['planRollouts', 'createRollouts'],
  ['planShellGeneration', 'generateShellTasks'],
  ['planTask', 'createTask'],
  ['planExam', 'makeExam'],
  ['planExamRun', 'startExamRun'],
])
const ALL_PHASES = process.env.BASHGYM_FUZZ_PHASES ?? ''
const EXAMPLES = process.env.BASHGYM_FUZZ_EXAMPLES
const ONLY = process.env.BASHGYM_FUZZ_OPERATIONS ?? ''
const SEED = process.env.BASHGYM_SEED || '1'
const NEEDS_TRAINING = /^(?:(?:plan|get|patch|delete|cancel)(?:Run|Matrix)(?:$|[A-Z])|(?:compare|get|patch|delete)Models?(?:$|[A-Z]))/

/** An empty home, so that everything the fuzzer imports or installs stays in this folder. */
const workspace = makeWorkspace()
const folder = workspace.dir
const ids = path.join(folder, 'ids.json')
const answers = path.join(folder, 'answers')
let code = 1
try {
  code = await onServer(python, async (server) => {
    fs.writeFileSync(ids, JSON.stringify(await seed(server, folder, python)))
    const left = new Set([
      ...WORKING,
      ...SANDBOXES,
      'signOutEverywhere', // It would sign out the fuzzer.
      'createBackup', // It would wait for jobs, write archives to made-up paths and fill the disk.
      'installTrainingEnvironment', // It would download gigabytes.
    ])
    return fuzzOperations(server, (operation) => !left.has(operation))
  })
  if (shareReached(answers) < LEAST_SHARE && !ONLY) code = 1
  code ||= await onServer('/nowhere/python', (server) =>
    fuzzOperations(server, (operation) => WORKING.includes(operation) || SANDBOXES.includes(operation)),
  )
} finally {
  endForking()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }) // a trainer may still be writing its last files
}
process.exit(code ?? 1)

/** Runs `work` with a server and returns its result. The server must still be healthy afterwards. */
async function onServer(interpreter, work) {
  const hub = await startHub()
  const env = { HF_ENDPOINT: hub.url, ...(interpreter && { BASHGYM_PYTHON: interpreter }) }
  const server = await startServer(workspace, { env, stderr: 'inherit' })
  try {
    const code = await work(server)
    await server.api('/api/health')
    return code
  } finally {
    await server.stop()
    hub.close()
  }
}

/** A hub without models, so that no request leaves this machine. */
async function startHub() {
  const hub = http.createServer((_, response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Repository not found"}'),
  )
  await once(hub.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${hub.address().port}`, close: () => hub.close() }
}

/** Calls the operations that are wanted: each in all phases, or those with the body of another one by random requests only. */
async function fuzzOperations(server, isWanted) {
  const { paths } = await server.api('/api/openapi.json')
  const known = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  const unknown = [...SAME_BODY].flat().filter((operation) => !known.includes(operation))
  if (unknown.length > 0) throw new Error(`SAME_BODY names operations that are gone: ${unknown.join(', ')}`)
  const operations = known.filter((operation) => operation && isWanted(operation) && new RegExp(ONLY).test(operation))
  if (ALL_PHASES) return fuzz(server, operations, ALL_PHASES, EXAMPLES ?? 10)
  const { true: alike = [], false: own = [] } = Object.groupBy(operations, (operation) => SAME_BODY.has(operation))
  const first = own.length > 0 ? await fuzz(server, own, 'coverage,fuzzing', EXAMPLES ?? 3) : 0
  return first || (alike.length > 0 ? fuzz(server, alike, 'fuzzing', EXAMPLES ?? 10) : 0)
}

/** Runs schemathesis and returns its exit code. */
async function fuzz({ url, token }, operations, phases, examples) {
  const child = spawn(
    program,
    [
      'run',
      `${url}/api/openapi.json`,
      '--checks=not_a_server_error,content_type_conformance,status_code_conformance,response_schema_conformance',
      `--header=Authorization: Bearer ${token}`,
      `--max-examples=${examples}`,
      `--phases=${phases}`,
      '--request-timeout=60',
      '--workers=1',
      `--seed=${SEED}`,
      '--no-color',
      ...operations.map((operation) => `--include-operation-id=${operation}`),
    ],
    {
      cwd: folder,
      stdio: 'inherit',
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'real_ids',
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        BASHGYM_FUZZ_IDS: ids,
        BASHGYM_FUZZ_ANSWERS: answers,
      },
    },
  )
  const [code] = await once(child, 'close')
  return code ?? 1
}

/** Prints the operations that never answered with success; returns the share of operations that did. */
function shareReached(file) {
  /** Number of responses by operation and status. */
  const reached = new Map()
  /** Number of responses and their seconds by operation. */
  const spent = new Map()
  for (const line of fs.readFileSync(file, 'utf8').trim().split('\n')) {
    const [operation, status, took] = line.split(' ')
    const [calls, seconds] = spent.get(operation) ?? [0, 0]
    spent.set(operation, [calls + 1, seconds + Number(took)])
    const counts = reached.get(operation) ?? {}
    reached.set(operation, { ...counts, [status]: (counts[status] ?? 0) + 1 })
  }
  console.log('Seconds and calls of the slowest operations:')
  for (const [operation, [calls, seconds]] of [...spent].toSorted(([, [, a]], [, [, b]]) => b - a).slice(0, 20))
    console.log(`${seconds.toFixed(1).padStart(7)} ${String(calls).padStart(6)}  ${operation}`)
  const isReached = (counts) => Object.keys(counts).some((status) => status.startsWith('2'))
  for (const [operation, counts] of reached) {
    const isBeyond = OUT_OF_REACH.has(operation) || (python === null && NEEDS_TRAINING.test(operation))
    if (!isReached(counts) && isBeyond) reached.delete(operation)
  }
  const missed = [...reached]
    .filter(([, counts]) => !isReached(counts))
    .map(([operation, counts]) => `${operation} ${JSON.stringify(counts)}`)
  const share = 1 - missed.length / reached.size
  console.log(`${reached.size - missed.length} of ${reached.size} operations answered 2xx (${(100 * share).toFixed(0)} %).`)
  if (missed.length > 0) console.log(`Never: ${missed.join(', ')}.`)
  return share
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: schemathesis could not be installed.`)
}
