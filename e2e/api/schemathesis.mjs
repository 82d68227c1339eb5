// Fuzzes the API from its own OpenAPI document with schemathesis (PyPI): no 5xx, whatever is sent.
// The server is the built one, on a data directory and a home of its own.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { cacheDir } from '../../scripts/lib/probe.mjs'
import { node24, root } from '../../scripts/lib/setup.mjs'

const venv = path.join(cacheDir, 'schemathesis')
const program = path.join(venv, 'bin', 'schemathesis')
if (!fs.existsSync(program)) {
  run('python3', ['-m', 'venv', venv])
  run(path.join(venv, 'bin', 'pip'), ['install', '--quiet', 'schemathesis'])
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-fuzz-'))
const server = spawn(node24(), [path.join(root, 'dist', 'server', 'main.js'), '--home', path.join(folder, 'home'), '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  // A home without a history: what the fuzzer asks to import or install stays in the temporary folder.
  env: { ...process.env, HOME: folder, CLAUDE_CONFIG_DIR: path.join(folder, 'claude') },
})
let code = 1
try {
  const [line] = await once(readline.createInterface({ input: server.stdout }), 'line')
  const { url, tokenFile } = JSON.parse(line)
  const token = fs.readFileSync(tokenFile, 'utf8').trim()
  await seed(url, token)
  const fuzz = spawn(
    program,
    [
      'run',
      `${url}/api/openapi.json`,
      '--checks=not_a_server_error,content_type_conformance,status_code_conformance,response_schema_conformance',
      `--header=Authorization: Bearer ${token}`,
      `--max-examples=${process.env.BASHGYM_FUZZ_EXAMPLES ?? 20}`,
      '--phases=examples,coverage,fuzzing',
      '--request-timeout=60',
      '--workers=1',
      '--seed=1',
      '--no-color',
      // It would wait for jobs, write archives to made-up paths and fill the disk.
      '--exclude-operation-id=createBackup',
    ],
    { cwd: folder, stdio: 'inherit' },
  )
  ;[code] = await once(fuzz, 'close')
  const { status } = await fetch(`${url}/api/health`)
  if (status !== 200) throw new Error(`the server answered ${status} after the run`)
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(code ?? 1)

/** The sample sessions, so that addresses with an id have something to find. */
async function seed(url, token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const job = await (await fetch(`${url}/api/samples`, { method: 'POST', headers, body: '{}' })).json()
  await fetch(`${url}/api/jobs/${job.id}?waitMs=30000`, { headers })
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: schemathesis could not be installed.`)
}
