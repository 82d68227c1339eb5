import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../support/server.ts'
import { makeWorkspace, runClient } from './driver/index.mjs'
import { clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')

it.skipIf(client.skip !== false)('steps of Claude are sent with the model and effort of the user’s rules while they are on', async () => {
  const workspace = makeWorkspace()
  const { userHome, cwd } = workspace
  const bin = client.skip === false ? client.bin : ''
  const claudeDir = path.join(userHome, '.claude')
  fs.mkdirSync(claudeDir, { recursive: true })
  const dataDir = path.join(userHome, 'data')
  const server = await startServer(
    { dir: userHome, dataDir, claudeDir, addSample: () => undefined, remove: () => workspace.remove() },
    { env: { CLAUDE_BIN: bin } },
  )
  const set = (router: object) => server.api('/api/settings', { method: 'PATCH', body: { router } })
  /** Model and effort of each request: of the main conversation, and of its sub-agent. */
  const sent = async () => {
    const { requests } = await runClient({ userHome, cwd, bin, scenario: 'subagent', allowedTools: ['Bash', 'Read', 'Agent'] })
    const of = (isAgent: boolean) =>
      requests
        .filter(({ agent, scenario }) => scenario !== undefined && (agent !== undefined) === isAgent)
        .map(({ model, raw }) => `${model} ${(JSON.parse(raw!) as { output_config?: { effort?: string } }).output_config?.effort}`)
    return { main: of(false), agent: of(true) }
  }
  try {
    await server.api('/api/router/mod/install', { method: 'POST', body: {} })
    const rules = [
      { when: 'turn_rest', model: 'claude-sonnet-5', effort: 'low' },
      { when: 'subagent', agentType: 'Explore', model: 'claude-opus-4-1' },
      { when: 'subagent', model: 'claude-sonnet-4-6', effort: 'high' },
    ]
    await set({ rules, rulesOn: true })
    expect(await sent()).toEqual({
      main: ['claude-opus-5-5 medium', 'claude-sonnet-5 low'],
      agent: Array.from({ length: 3 }, () => 'claude-sonnet-4-6 high'),
    })
    await set({ rulesOn: false })
    expect(await sent()).toEqual({
      main: Array.from({ length: 2 }, () => 'claude-opus-5-5 medium'),
      agent: Array.from({ length: 3 }, () => 'claude-opus-5-5 medium'),
    })
  } finally {
    await server.stop().catch(() => undefined)
    workspace.remove()
  }
})
