import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { useOwnServer } from '#server/testing/use.ts'

const own = useOwnServer()

const BIRDS = ['herons', 'swans']
const taskOf = (birds: string) => `# Step 1
x

## Description
Put the number of ${birds} that /srv/${birds} lists into /srv/out-${birds}.

## Set-up commands
\`\`\`bash
mkdir -p /srv
seq 3 44 > /srv/${birds}
\`\`\`

## Success condition
\`\`\`bash
[ "$(wc -l < /srv/${birds})" -gt 40 ] && [ "$(cat /srv/out-${birds})" = "$(wc -l < /srv/${birds})" ]
\`\`\`
`

describe.skipIf(findBubblewrap() === null)('a server that is killed while shell tasks are generated', () => {
  it('goes on from the stored tasks, answers and tries when the user resumes it', async () => {
    let isBack = false
    const asked: string[] = []
    const stub = await startStub(({ body }) => {
      const texts = body.messages.map(({ content }) => content)
      if (texts.some((text) => text.startsWith('You write tasks'))) {
        const no = asked.filter((one) => one === 'written').length
        asked.push('written')
        return { text: taskOf(BIRDS[no]!) }
      }
      const birds = BIRDS.find((one) => texts.some((text) => text.includes(`/srv/${one} `)))!
      if (texts.length > 2) return { text: 'exit' }
      asked.push(birds)
      const tries = asked.filter((one) => one === birds).length
      return birds === 'swans' && tries === 2 && !isBack ? 'hang' : { text: `wc -l < /srv/${birds} > /srv/out-${birds}` }
    })
    try {
      const endpoint = { kind: 'url' as const, baseUrl: stub.url, model: 'some' }
      await own.server.client.patchSettings({ body: { arena: { running: 1 } } }) // one try after another
      await own.server.client.generateShellTasks({ body: { endpoint, targets: { '1': 2 }, rollouts: 2, concurrency: 1, split: 'killed' } })
      await expect.poll(() => asked, { timeout: 60_000 }).toEqual(['written', 'herons', 'herons', 'written', 'swans', 'swans'])
      const { id } = (await own.server.client.listShellGenerations({})).items[0]!
      const before = (await own.server.client.listShellTasks({ query: { split: 'killed' } })).items.map((task) => task.id)
      expect(before).toHaveLength(1)

      await own.server.end('SIGKILL')
      isBack = true
      await own.restart()
      const generation = () => own.server.client.getShellGeneration({ params: { id } })
      expect(await generation()).toMatchObject({ state: 'interrupted', kept: { '1': 1 }, made: 2 })
      await own.server.client.resumeShellGeneration({ params: { id }, body: {} })
      await expect.poll(async () => (await generation()).state, { timeout: 60_000 }).toBe('completed')
      expect(await generation()).toMatchObject({ kept: { '1': 2 }, made: 2, rejected: [] })
      expect(asked.slice(6)).toEqual(['swans'])
      const { items } = await own.server.client.listShellTasks({ query: { split: 'killed' } })
      expect(items.map((task) => task.id)).toEqual(expect.arrayContaining(before))
    } finally {
      await stub.close()
    }
  })
})
