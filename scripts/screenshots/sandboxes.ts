import { startScriptedModel } from '../../e2e/support/scripted-model.ts'
import type { RunningServer } from '../../e2e/support/server.ts'

const SETUP = ["printf 'def area(w, h):\\n    return w * h\\n' > /tmp/shapes.py"]
const COMMANDS = [
  'cd /tmp && python3 -c "import shapes; print(shapes.area(3, 4))"',
  'ls --color=always -l /usr | head -6',
  'for n in 1 2 3; do printf "\\033[32mok\\033[0m case %s\\n" $n; done',
  'cat notes.txt',
]

/** Creates bubblewrap sandboxes: two running, one being set up, and one whose set-up failed. Returns the id of the one to show. */
export async function addSandboxes(server: RunningServer): Promise<string> {
  const post = <T>(place: string, body: object) => server.api<T>(place, { method: 'POST', body })
  const create = async (spec: object) => (await post<{ id: string }>('/api/sandboxes', spec)).id
  const start = (id: string) => post(`/api/sandboxes/${id}/start`, {})
  await start(await create({ name: 'strict, 256 MB', profile: 'strict', limits: { memoryMb: 256 } }))
  const wrong = await create({ name: 'missing file', setupCommands: ['cp /srv/fixtures.tar /tmp'] })
  await start(wrong).catch(() => undefined) // its failure is shown
  const id = await create({ name: 'area of shapes', setupCommands: SETUP })
  await start(id)
  for (const command of COMMANDS) await post(`/api/sandboxes/${id}/exec`, { command })
  await post(`/api/sandboxes/${id}/sessions`, { session: 'session-2' })
  const slow = await create({ name: 'slow set-up', setupCommands: ['sleep 600'] })
  void start(slow).catch(() => undefined) // the sandbox ends with the server
  return id
}

const TURNS = ['ls /srv', 'touch /srv/made', 'exit 0', 'cat /srv/none', '# not there', 'exit 1']

/** Creates a set of rollouts with solved and unsolved attempts, and an environment server. Returns the id of the set. */
export async function addRollouts(server: RunningServer): Promise<string> {
  let asked = 0
  const model = await startScriptedModel(() => TURNS.at(asked++ % TURNS.length)!)
  try {
    const row = (no: number) => ({ task: `Make the file /srv/made, number ${no}.`, setup: ['mkdir -p /srv'], check: 'test -e /srv/made', difficulty: 1 + (no % 4) }) // prettier-ignore
    const body = {
      tasks: [1, 2, 3, 4, 5, 6].map(row),
      endpoint: { kind: 'url', baseUrl: model.url, model: 'scripted' },
      rolloutsPerTask: 2,
      concurrency: 1,
    }
    const { id } = await server.api<{ id: string }>('/api/rollouts', { method: 'POST', body })
    for (let state = 'running', ended = -1; state === 'running';) {
      const set = await server.api<{ state: string; counts: { ended: number } }>(`/api/rollouts/${id}?waitMs=10000&ended=${ended}`)
      state = set.state
      ended = set.counts.ended
    }
    await server.api('/api/environments', { method: 'POST', body: { tasks: 'starter' } })
    return id
  } finally {
    await model.close()
  }
}
