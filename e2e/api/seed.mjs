// Creates one of everything that has an id, so that the fuzzer can reach it.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../scripts/lib/setup.mjs'
import { startScriptedModel } from '../support/scripted-model.ts'
import { tinyModel } from '../support/trainer.ts'

const PERSONAL = 'Ask jane.roe@northwind-trading.com, or call +49 30 901820, before the release.'

/**
 * Takes in sessions that are the user's own (removing the samples leaves them) and makes examples, pairs, findings, data
 * sets and collections of them; with a `python` that trains, finished runs, models and a queue of runs that waits. Returns values by operation for e2e/api/real_ids.py.
 */
export async function seed({ api }, folder, python) {
  const call = (method, address, body) => api(`/api/${address}`, { method, body })
  const done = async ({ id }) => {
    const job = await call('GET', `jobs/${id}?waitMs=30000`)
    if (job.state !== 'completed') throw new Error(`the job ${job.kind} is ${job.state}: ${job.error?.message ?? ''}`)
    return job
  }

  const sessions = path.join(folder, 'sessions')
  fs.cpSync(path.join(root, 'samples', 'claude-code'), sessions, { recursive: true })
  const job = await done(await call('POST', 'imports', { paths: [sessions, personalSession(sessions)] }))
  const { items } = await call('GET', 'traces')
  const [kept, spare] = [items.slice(0, -3), items.slice(-3)]
  const ids = kept.map(({ id }) => id)
  const steps = await call('GET', `traces/${kept.find(({ counts }) => counts.toolCalls > 0).id}/steps`)
  const views = []
  for (const name of ['one', 'two', 'three']) views.push(await call('POST', 'views', { name, query: 'tier:gold', sort: '-startedAt' }))
  const bulkIds = []
  for (const { id } of kept) {
    for (const tier of ['silver', 'bronze']) await call('POST', `traces/${id}/promote`, { tier })
    const act = { action: 'add-tag', tag: 'fuzzed' }
    bulkIds.push((await call('POST', 'traces/bulk', { selection: { ids: [id] }, act })).bulkId)
  }
  const [cutId] = steps.items[0].id.split(':')
  for (const cuts of [[{ stepId: steps.items[0].id, boundary: true }], []]) await call('PUT', `traces/${cutId}/segments/cuts`, { cuts })

  const recorded = {
    traceId: 'a'.repeat(32),
    id: '00000000000000a1',
    kind: 'tool',
    name: 'bash',
    startedAt: '2026-10-01T12:00:00Z',
    durationMs: 5,
  }
  await call('POST', 'observability/spans', { spans: [recorded] })
  await call('PATCH', 'settings', { telemetry: { out: [{ kind: 'otlp', url: 'http://127.0.0.1:9' }] } }) // nothing listens there
  await done(await call('POST', 'factory/examples/build', { selection: { ids } }))
  const examples = (await call('GET', 'factory/examples')).items
  const detail = await call('GET', `factory/examples/${examples[0].id}`)
  await done(await call('POST', 'factory/pairs/find', { selection: { ids } }))
  const pairs = (await call('GET', 'factory/pairs')).items
  const reviews = { examples: [], pairs: [] }
  for (const state of ['rejected', 'accepted']) {
    reviews.examples.push((await call('PATCH', 'factory/examples', { selection: { ids: examples.map(({ id }) => id) }, state })).bulkId)
    reviews.pairs.push((await call('PATCH', 'factory/pairs', { selection: { ids: pairs.map(({ id }) => id) }, state })).bulkId)
  }

  const datasets = []
  for (const name of ['one', 'two', 'three', 'four'])
    datasets.push((await done(await call('POST', 'datasets', { kind: 'sft', name, traceIds: ids }))).result.id)
  const [one, two, ...spareSets] = datasets
  await call('DELETE', `datasets/${two}`)
  const rows = path.join(folder, 'rows.jsonl')
  fs.writeFileSync(rows, `${JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hello.' }] })}\n`) // prettier-ignore
  const collections = []
  for (const name of ['one', 'two']) collections.push((await done(await call('POST', 'collections', { file: rows, name }))).result.id)

  await done(await call('POST', 'privacy/scan', { all: true }))
  const findings = (await call('GET', 'privacy/findings')).items
  const scopes = findings.map(({ id }) => ({ scope: 'finding', finding: id }))
  const decisions = []
  for (const on of [scopes[0], { scope: 'type', type: 'email' }, { scope: 'type', type: 'phone' }]) {
    decisions.push((await call('POST', 'privacy/decisions', { on, action: 'keep' })).id)
  }

  const project = path.join(folder, 'project')
  fs.mkdirSync(project)
  fs.writeFileSync(path.join(project, 'verify.sh'), 'exit 0\n')

  const jobs = []
  for (let more = 0; more < 2; more += 1)
    jobs.push((await call('POST', 'checks', { directory: project, command: 'sleep 3000', timeoutSec: 3600 })).id)

  const shellFile = path.join(folder, 'shell-tasks.jsonl')
  const shellRow = (no) => ({ task_id: `task-${no}`, task: `Make the file number ${no}.`, success_condition: `test -e /tmp/${no}` })
  fs.writeFileSync(shellFile, [1, 2, 3, 4].map((no) => `${JSON.stringify(shellRow(no))}\n`).join(''))
  await done(await call('POST', 'shell-tasks', { file: shellFile, split: 'seeded', keepNear: true }))

  const byHand = await call('POST', 'shell-tasks/task-1/run', {})

  const boxes = []
  for (let more = 0; more < 2; more += 1) boxes.push((await call('POST', 'sandboxes', { commandTimeoutSec: 5 })).id)
  const [box, still] = boxes
  for (const id of [box, still]) await call('POST', `sandboxes/${id}/start`, {})
  const [inBox, inStill] = [box, still].map((id) => ({ path: { id } })) // the fuzzer runs made-up commands in the first

  const environment = await call('POST', 'environments', {})
  const agents = await agentRuns({ call, folder })
  const examined = await exams({ call, done, traceIds: ids, folder })
  const graded = await answers({ call, done, traceIds: ids })
  const shadow = await shadowAnswer(call)
  const trained = python === null ? { kept: {}, once: {} } : await train({ call, folder, python })

  const at = (key) => (value) => ({ path: { [key]: value } })
  const byId = ({ id }) => ({ path: { id } })
  return {
    kept: {
      traces: kept.map(byId),
      getStep: steps.items.map(({ id }) => ({ path: { id: id.split(':')[0], stepId: id } })),
      undoSegmentCuts: [{ path: { id: cutId } }],
      jobs: [{ path: { id: job.id } }],
      'factory/examples': examples.map(byId),
      editExample: [{ path: { id: detail.id }, body: { messages: detail.messages } }],
      reviewExamples: [{ body: { ids: [examples[0].id], state: 'accepted' } }],
      previewRow: [{ body: { row: { example: examples[0].id } } }],
      'factory/pairs': pairs.map(byId),
      decideShadowAnswer: [{ path: { id: shadow }, body: { verdict: 'worse' } }],
      reviewPairs: [{ body: { ids: [pairs[0].id], state: 'accepted' } }],
      datasets: [{ path: { id: one } }],
      compareDatasets: [{ query: { a: one, b: two } }],
      restoreDataset: [{ path: { id: two } }],
      measureLengths: [{ body: { dataset: one } }],
      exportTraining: [{ body: { datasetId: one } }],
      changeShellTask: [{ ...byId({ id: 'task-1' }), body: { difficulty: 2 } }],
      createShellTask: [
        { body: { task: 'Print the name of this machine.', setup: [], check: 'true', difficulty: 1, referenceSolution: null } },
      ],
      proposeShellTasks: [{ body: { traceId: ids[0] } }],
      checkShellTask: [{ ...byId({ id: 'task-1' }), body: { sandboxId: byHand.id } }],
      computeRewards: [{ body: { episodes: [{ success: true, turns: 3, nonzero_exit_codes: 1 }], groups: [[1, 0]] } }],
      'shell-tasks': [1, 2].map((no) => byId({ id: `task-${no}` })),
      importShellTasks: [{ body: { file: shellFile, split: 'seeded' } }],
      importRows: [{ body: { file: rows } }],
      peekFile: [{ body: { file: rows } }],
      'privacy/findings': findings.map(byId),
      decidePrivacy: scopes.map((on) => ({ body: { on, action: 'keep' } })),
      decideManyPrivacy: [{ body: { on: scopes, action: 'redact' } }],
      undoPrivacyDecisions: [{ body: { ids: [decisions[2]] } }],
      findChecks: [{ body: { directory: project } }],
      showGymRules: [{ body: { directory: project } }],
      setGymRules: [{ body: { directory: project, written: false } }],
      runChecks: [{ body: { directory: project } }],
      checkTraces: [{ body: { selection: { ids: [kept[0].id] } } }],
      getSandbox: [inBox],
      execInSandbox: [{ ...inBox, around: { command: 'true' } }],
      interruptSandbox: [{ ...inBox, body: {} }],
      openSandboxSession: [{ ...inBox, around: { session: 'second' } }],
      getSandboxTrajectory: [inBox],
      getSandboxTrajectoryText: [inBox],
      putSandboxFile: [{ ...inStill, around: { path: '/tmp/a', content: 'a' } }],
      getSandboxFile: [{ ...inStill, query: { path: '/etc/passwd' } }],
      startEnvironment: [{ body: { port: 0 } }],
      ...agents.kept,
      ...examined,
      ...graded,
      ...trained.kept,
    },
    once: {
      ...agents.once,
      stopEnvironment: [environment.id].map(at('id')),
      ...trained.once,
      runShellTask: [byId({ id: 'task-2' })],
      validateShellTask: [byId({ id: 'task-2' })],
      validateShellTasks: [{ body: { ids: ['task-2'] } }],
      removeShellTask: [3, 4].map((no) => byId({ id: `task-${no}` })),
      cancelJob: jobs.map(at('id')),
      forgetTrace: spare.map(byId),
      deleteView: views.map(byId),
      undoBulk: bulkIds.map(at('bulkId')),
      undoReview: reviews.examples.map(at('bulkId')),
      undoPairReview: reviews.pairs.map(at('bulkId')),
      deleteDataset: spareSets.map(at('id')),
      deleteCollection: collections.map(at('id')),
      undoPrivacyDecision: decisions.slice(0, 2).map(at('id')),
    },
  }
}

/** Makes an exam, a decided run of it, and two runs of a benchmark, with a model that always makes the same call. */
async function exams({ call, done, traceIds, folder }) {
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
  }
  const answer = JSON.stringify({
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  })
  const model = http.createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
  })
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve))
  const body = { traceIds, unverified: true, share: 0.5, callsPerSession: 1 }
  const { id } = (await done(await call('POST', 'exams', body))).result
  const at = (name) => ({ kind: 'url', baseUrl: `http://127.0.0.1:${model.address().port}`, model: name })
  const asked = { model: at('one'), against: at('other') }
  const { id: run } = await call('POST', `exams/${id}/runs`, asked)
  for (let state = 'queued'; state !== 'completed'; await sleep(100)) ({ state } = await call('GET', `exams/${id}/runs/${run}`))
  await call('POST', `exams/${id}/runs/${run}/decide`)
  const [item] = (await call('GET', `exams/${id}/runs/${run}/items`)).items
  const ofRun = [{ path: { id, run } }]
  const benchmark = { benchmark: 'gsm8k', model: at('one'), files: path.join(folder, 'gsm8k.jsonl'), own: true }
  fs.writeFileSync(benchmark.files, '{"question":"1 + 1?","answer":"#### 2"}\n')
  const measured = []
  for (let count = 0; count < 2; count += 1) measured.push((await call('POST', 'benchmarks/run', benchmark)).id)
  for (const one of measured)
    for (let state = 'running'; state === 'running'; await sleep(100)) ({ state } = await call('GET', `benchmarks/${one}`))
  const ofBenchmark = [{ path: { id: measured[0] } }]
  return {
    planBenchmark: [{ body: benchmark }],
    runBenchmark: [{ body: benchmark }],
    fetchBenchmark: [{ body: { benchmark: 'gsm8k' } }],
    compareBenchmarkRuns: [{ query: { runs: measured.join(',') } }],
    getBenchmarkRun: ofBenchmark,
    listBenchmarkRows: ofBenchmark,
    getBenchmarkRow: [{ path: { id: measured[0], no: 0 } }],
    cancelBenchmarkRun: ofBenchmark,
    resumeBenchmarkRun: [{ ...ofBenchmark[0], body: {} }],
    exams: [{ path: { id } }],
    planExam: [{ body }],
    makeExam: [{ body }],
    planExamRun: [{ path: { id }, body: asked }],
    startExamRun: [{ path: { id }, body: asked }],
    planThermometer: [{ body: { exam: id, model: asked.model } }],
    switchThermometerOn: [{ body: { exam: id, model: asked.model } }],
    getExamItem: [{ path: { id, item: item.id } }],
    getExamRun: ofRun,
    listExamItems: ofRun,
    getExamCertificate: ofRun,
    decideExamRun: ofRun,
    cancelExamRun: ofRun,
    resumeExamRun: [{ ...ofRun[0], body: {} }],
    repeatOwedExamItems: ofRun,
  }
}

/** A step of Claude that passed the proxy, and what a model of the user's own would have answered: both from one server. */
async function shadowAnswer(call) {
  const usage = { input_tokens: 1, output_tokens: 1, prompt_tokens: 1, completion_tokens: 1 }
  const ofClaude = { type: 'message', content: [{ type: 'text', text: 'One.' }], stop_reason: 'end_turn', usage }
  const ofStudent = { choices: [{ message: { role: 'assistant', content: 'Two.' }, finish_reason: 'stop' }], usage }
  const server = http.createServer((request, response) => {
    const answer = JSON.stringify(request.url.endsWith('/chat/completions') ? ofStudent : ofClaude)
    response.setHeader('connection', 'close')
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${server.address().port}`
  const { settings: before } = await call('GET', 'settings')
  const anthropic = { ...before.providers.anthropic, baseUrl }
  await call('PATCH', 'settings', {
    providers: { anthropic },
    router: { studentModel: 'tiny', studentAddress: baseUrl, shadow: true, proxy: true },
  })
  const { proxy } = await call('GET', 'router/routing')
  const body = { model: 'claude', max_tokens: 900, tools: [{ name: 'Agent' }], messages: [{ role: 'user', content: 'Say one.' }] }
  await fetch(`${proxy.address}/v1/messages`, { method: 'POST', headers: { connection: 'close' }, body: JSON.stringify(body) })
  let items = []
  for (; items.length === 0; await sleep(100)) ({ items } = await call('GET', 'router/shadow'))
  const { studentModel, studentAddress, shadow, proxy: isOn } = before.router
  await call('PATCH', 'settings', {
    providers: { anthropic: before.providers.anthropic },
    router: { studentModel, studentAddress, shadow, proxy: isOn },
  })
  server.close()
  return items[0].id
}

/** Grades sessions with a model that always gives 3 points, and makes an own set. */
async function answers({ call, done, traceIds }) {
  const content = JSON.stringify({ evidence: [], reasoning: 'x', score: 3 })
  const answer = JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  })
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const model = { kind: 'url', baseUrl: `http://127.0.0.1:${server.address().port}` }
  const asked = { source: { kind: 'sessions', traceIds: traceIds.slice(0, 2) }, metrics: ['safety'], model }
  const { id } = (await done(await call('POST', 'judge/runs', asked))).result
  await call('POST', `judge/runs/${id}/start`, {})
  for (let state = 'running'; state !== 'done'; await sleep(100)) ({ state } = await call('GET', `judge/runs/${id}`))
  const cases = [{ prompt: 'Say ok.', check: { kind: 'exact', value: 'ok' } }]
  const set = await call('POST', 'judge/sets', { name: 'Mine', cases })
  const rubric = { role: 'A reviewer.', task: 'Is it safe?', anchors: { one: 'no', three: 'partly', five: 'yes' } }
  const ofRun = [{ path: { id } }]
  const ofSet = [{ path: { id: set.id } }]
  return {
    gradeResponse: [{ body: { prompt: 'a', response: 'b', metrics: ['safety'], model } }],
    compareResponses: [{ body: { prompt: 'a', a: 'b', b: 'c', model } }],
    evaluateTrace: [{ body: { traceId: traceIds[0] } }, { body: { steps: [{ tool: 'Bash', command: 'ls', success: true }] } }],
    saveRubric: [{ path: { metric: 'safety' }, body: rubric }],
    prepareAnswerRun: [{ body: asked }],
    getAnswerRun: ofRun,
    listAnswerItems: ofRun,
    startAnswerRun: [{ ...ofRun[0], body: {} }],
    cancelAnswerRun: ofRun,
    labelAnswer: [{ path: { id, no: 0, metric: 'safety' }, body: { value: 3 } }],
    makeEvaluationSet: [{ body: { name: 'Mine', cases } }],
    getEvaluationSet: ofSet,
    listEvaluationCases: ofSet,
  }
}

/** Creates agent runs (with a change, without a result, and with a model that never answers) and batches of runs. */
async function agentRuns({ call, folder }) {
  const repository = path.join(folder, 'repository')
  fs.mkdirSync(repository)
  fs.writeFileSync(path.join(repository, 'verify.sh'), 'test -e made\n')
  const git = (...args) => execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-C', repository, ...args])
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'Start')
  const model = await startScriptedModel([...Array.from({ length: 20 }, (_, no) => (no % 2 ? 'exit 0' : 'echo x > made')), 'exit 0'])
  const silent = http.createServer(() => {}).listen(0, '127.0.0.1')
  const asks = (baseUrl) => ({ agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl }, model: 'scripted' })
  const start = (baseUrl) => call('POST', 'tasks', { prompt: 'Make it.', directory: repository, ...asks(baseUrl) })
  const ended = async (address, isOver) => {
    for (;;) {
      const one = await call('GET', address)
      if (isOver(one)) return one
      await sleep(100)
    }
  }
  const runs = []
  for (let more = 0; more < 4; more += 1) {
    const { id } = await start(model.url)
    const { state, error } = await ended(`tasks/${id}`, ({ endedAt }) => endedAt !== null)
    if (state !== 'review') throw new Error(`a run of an agent is ${state}: ${error?.message ?? ''}`)
    runs.push(id)
  }
  const nobody = 'http://127.0.0.1:9/v1'
  const live = []
  for (let more = 0; more < 2; more += 1) live.push((await start(`http://127.0.0.1:${silent.address().port}/v1`)).id)
  const given = { tasks: [{ key: 'one', prompt: 'Make it.' }], settings: asks(nobody) }
  const batches = []
  for (let more = 0; more < 2; more += 1) batches.push((await call('POST', 'batches', given)).id)
  const row = { task: 'Make the file /srv/done.', setup: ['mkdir -p /srv'], check: 'test -e /srv/done', difficulty: 1 }
  const rollouts = { tasks: [row], endpoint: { kind: 'url', baseUrl: nobody, model: 'scripted' }, rolloutsPerTask: 1 }
  const sets = []
  for (let more = 0; more < 3; more += 1) sets.push((await call('POST', 'rollouts', rollouts)).id)
  for (const id of sets) await ended(`rollouts/${id}`, ({ state }) => state !== 'running')
  const [set, ...spareSets] = sets
  const generation = {
    endpoint: { kind: 'url', dialect: 'openai', baseUrl: nobody, model: 'scripted' },
    targets: { 1: 1 },
    budget: { tokens: 1 },
  } // no model is called
  const { id: job, subject: generated } = await call('POST', 'shell-tasks/generate', generation)
  await ended(`jobs/${job}`, ({ state }) => state === 'completed')
  const at = (id) => ({ path: { id } })
  const [kept, ...spare] = runs
  const [atWork, stopped] = live
  const request = { prompt: 'Make it.', ...asks(nobody) }
  return {
    kept: {
      tasks: [at(kept)],
      createTask: [{ body: request }],
      planTask: [{ body: { ...request, directory: repository } }],
      interruptTask: [at(atWork)],
      messageTask: [{ ...at(atWork), body: { text: 'Go on.' } }],
      reviewTask: [{ ...at(kept), body: { addComment: { path: 'made', line: 1, text: 'Why?' } } }],
      selectTaskPatch: [{ ...at(kept), body: { selection: [{ path: 'made' }] } }],
      handBackTask: [{ ...at(kept), body: { how: 'apply' } }],
      rollouts: [at(set)],
      createRollouts: [{ body: rollouts }],
      planRollouts: [{ body: rollouts }],
      getEpisode: [{ path: { id: set, episodeId: `${set}-0-1` } }],
      getShellGeneration: [at(generated)],
      resumeShellGeneration: [{ ...at(generated), body: {} }],
      planShellGeneration: [{ body: generation }],
      generateShellTasks: [{ body: generation }],
      batches: batches.map(at),
      createBatch: [{ body: given }],
      planBatch: [{ body: given }],
      chooseWinner: [{ ...at(batches[0]), body: { key: given.tasks[0].key, taskId: null } }],
    },
    once: {
      removeRollouts: spareSets.map(at),
      cancelTask: [at(stopped)],
      removeTask: spare.map((id) => ({ ...at(id), query: { force: 'true' } })),
    },
  }
}

/** Creates finished runs of three steps with their models, one paused run, and some runs that wait in a paused queue. */
async function train({ call, folder, python }) {
  const model = tinyModel(path.join(folder, 'tiny-model'), python)
  const file = path.join(folder, 'train.jsonl')
  fs.writeFileSync(file, `${JSON.stringify({ messages: [{ role: 'user', content: 'Say red' }, { role: 'assistant', content: 'red' }] })}\n`.repeat(8)) // prettier-ignore
  const settings = { method: { kind: 'full' }, maxSteps: 3, loggingSteps: 1, evalSteps: null, saveSteps: 2, samples: 0, maxLength: 256, batchSize: 2, device: 'cpu', threads: 1 } // prettier-ignore
  const body = { strategy: 'sft', baseModel: model, file, settings }
  const start = async () => (await call('POST', 'training/start', body)).id
  const until = async (id, holds) => {
    for (;;) {
      const run = await call('GET', `training/${id}`)
      if (run.state === 'failed') throw new Error(`the run failed: ${run.error.message}\n${run.error.logTail}`)
      if (holds(run)) return
      await sleep(200)
    }
  }
  const done = [await start(), await start(), await start()]
  for (const id of done) await until(id, ({ state }) => state === 'completed')
  const { id: paused } = await call('POST', 'training/start', { ...body, settings: { ...settings, maxSteps: 9999 } })
  await until(paused, ({ step }) => step > 0)
  await call('POST', `training/${paused}/pause`)
  await until(paused, ({ state }) => state === 'paused')
  await call('PATCH', 'training/queue', { paused: true })
  const waiting = []
  for (let more = 0; more < 6; more += 1) waiting.push(await start())
  const removable = waiting.slice(0, 3)
  for (const id of removable) await call('POST', `training/${id}/cancel`, {})
  const axes = { seed: [1, 2] }
  const startMatrix = async () => (await call('POST', 'training/matrix', { ...body, axes })).id
  const [matrix, cancelled] = [await startMatrix(), await startMatrix()]
  const [one, two, ...spare] = done
  const byId = (id) => ({ path: { id } })
  const named = []
  for (const id of spare) named.push({ path: { id }, query: { name: (await call('GET', `models/${id}`)).name } })
  const seen = [one, two].map(byId)
  return {
    kept: {
      training: seen,
      models: seen,
      compareModels: [{ query: { ids: `${one},${two}` } }],
      planRun: [{ body }],
      planMatrix: [{ body: { ...body, axes } }],
      getMatrix: [byId(matrix)],
      startMatrix: [{ around: { ...body, axes } }],
      // requests that a server without a Python refuses, with one made-up value each
      startRun: [body, ...refused(body, file)].map((around) => ({ around })),
      dryRun: [body, ...refused(body, file)].map((around) => ({ around })),
      resumeRun: [byId(paused), ...seen],
      exportModel: seen.map((one) => ({ ...one, around: { format: 'gguf', quantization: 'q8_0' } })),
      startServing: seen.map((one) => ({ ...one, around: { base: false } })),
    },
    once: {
      cancelMatrix: [{ ...byId(cancelled), body: {} }],
      cancelRun: waiting.slice(3).map((id) => ({ ...byId(id), body: {} })),
      deleteRun: removable.map(byId),
      deleteModel: named,
    },
  }
}

/** Requests that both the plan and the trainers refuse. */
function refused(body, file) {
  const golden = JSON.parse(fs.readFileSync(path.join(root, 'server', 'trainers', 'tests', 'refusals.json'), 'utf8'))
  return golden.cases.map(({ strategy, settings, rows }, at) => {
    const own = `${file}.${at}.jsonl`
    const data = Object.entries(rows).map(([name, times]) => `${JSON.stringify(golden.rows[name])}\n`.repeat(times))
    fs.writeFileSync(own, data.join(''))
    return { ...body, strategy, settings, file: own, ...(strategy === 'distillation' && { teacher: body.baseModel }) }
  })
}

/** Writes a session with personal data, based on a sample. Returns its file. */
function personalSession(sessions) {
  const sample = fs.readdirSync(sessions, { recursive: true }).find((name) => /projects\/[^/]+\/[0-9a-f-]{36}\.jsonl$/.test(name))
  const sessionId = '00000000-0000-4000-8000-0000000f0022'
  const lines = fs.readFileSync(path.join(sessions, sample), 'utf8').replaceAll(path.basename(sample, '.jsonl'), sessionId)
  const record = { type: 'user', uuid: 'fuzz-1', parentUuid: null, sessionId, isSidechain: false, timestamp: '2026-01-01T00:00:00.000Z' }
  const file = path.join(sessions, `${sessionId}.jsonl`)
  fs.writeFileSync(file, `${lines.trimEnd()}\n${JSON.stringify({ ...record, message: { role: 'user', content: PERSONAL } })}\n`)
  return file
}
