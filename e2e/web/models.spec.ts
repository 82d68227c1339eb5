import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { BASH_TOOL, LS_PROMPTS } from '../support/call-rows.ts'
import type { RunningServer, Workspace } from '../support/server.ts'
import { makeTinyModel, PYTHON } from '../support/trainer.ts'
import { axe, expect, open, reload, test as base, withServer } from './fixtures.ts'

// Real training, export and answers of a tiny model: one server and one model for all steps.
const TRAINING_MS = 300_000
const EXPORT_MS = 120_000

const test = base.extend({
  server: ({ workspace }, use) => withServer(workspace, { BASHGYM_PYTHON: PYTHON }, use),
})

/** Rows that all ask for the same call: what a tiny model can learn. */
function writeRows(workspace: Workspace): { file: string; valFile: string } {
  const row = (question: string) => ({
    messages: [
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'Bash', arguments: { command: 'ls' } } }],
      },
    ],
    tools: [BASH_TOOL],
  })
  const write = (name: string, questions: readonly string[]) => {
    const file = path.join(workspace.dir, name)
    fs.writeFileSync(file, questions.map((question) => `${JSON.stringify(row(question))}\n`).join(''))
    return file
  }
  return { file: write('train.jsonl', LS_PROMPTS), valFile: write('val.jsonl', LS_PROMPTS.slice(0, 2)) }
}

const start = (server: RunningServer, name: string, data: object, settings: object) =>
  server.api('/api/training/start', {
    method: 'POST',
    body: {
      name,
      strategy: 'sft',
      preset: 'quick',
      ...data,
      settings: {
        method: { kind: 'full' },
        batchSize: 4,
        maxLength: 512,
        loggingSteps: 1,
        evalSteps: null,
        saveSteps: null,
        samples: 0,
        ...settings,
      },
    },
  })

/** Gives a model enough context for answers that outlast the test. */
function withLongContext(folder: string): string {
  const file = path.join(folder, 'config.json')
  const config = JSON.parse(fs.readFileSync(file, 'utf8')) as object
  fs.writeFileSync(file, JSON.stringify({ ...config, max_position_embeddings: 16_384 }))
  return folder
}

const SOME = /[^]{3}/ // what it says may be line breaks alone
const SIDES = ['Base model', 'Trained model']

/** Model servers of this workspace: their processes, and the files that they hold. */
const serversOf = ({ dir }: Workspace) =>
  fs.readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    let config: string | undefined
    try {
      const argv = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      config = argv.includes('serve') ? argv[argv.indexOf('--config') + 1] : undefined
    } catch {
      return [] // it has ended
    }
    if (!config?.startsWith(dir)) return []
    const { model } = JSON.parse(fs.readFileSync(config, 'utf8')) as { model: string }
    return [{ pid: Number(pid), file: model }]
  })

const models = (app: Page) => app.getByRole('list', { name: 'Models', exact: true })
const menu = async (app: Page, item: string | RegExp) => {
  await app.getByRole('button', { name: 'More' }).click()
  await app.getByRole('menuitem', { name: item }).click()
}

base.describe('without a model', () => {
  base.use({ looks: true })
  base('before the first run there is one step, and an address that leads nowhere says so', async ({ app, server }) => {
    await open(app, server, '/models')
    await expect(app.getByRole('heading', { name: 'No models yet' })).toBeVisible()
    await expect(app.getByRole('link', { name: 'New run' })).toHaveAttribute('href', '/training/new')
    expect(await axe(app)).toEqual([])
    await open(app, server, '/models/compare')
    await expect(app.getByRole('heading', { name: 'Select at least two models' })).toBeVisible()
  })

  base.describe('an address of a model that is gone', () => {
    base.use({ expectedErrors: /404 \(/ })
    base('is explained in words', async ({ app, server }) => {
      await open(app, server, `/models/${'a'.repeat(26)}`)
      await expect(app.getByRole('heading', { name: 'No such model' })).toBeVisible()
      await expect(app.getByRole('button', { name: 'Try again' })).toHaveCount(0)
      expect(await axe(app)).toEqual([])
    })
  })
})

test.describe('with a Python that trains', () => {
  test.skip(PYTHON === '', 'BASHGYM_TEST_PYTHON names no Python that trains')

  test('a run leaves a model; it is exported, compared with itself, tried beside its base, compared with another and deleted', async ({
    app,
    server,
    workspace,
  }) => {
    test.setTimeout(600_000)
    const baseModel = withLongContext(makeTinyModel())
    const data = { baseModel, ...writeRows(workspace) }
    await open(app, server, '/models')
    await start(server, 'knows ls', data, { learningRate: 5e-3, maxSteps: 60, warmupSteps: 5 })
    await start(server, 'knows nothing', data, { learningRate: 1e-5, maxSteps: 2 })

    await test.step('the models come in by themselves', async () => {
      await expect(models(app).getByRole('listitem')).toHaveCount(2, { timeout: TRAINING_MS })
      expect(await axe(app)).toEqual([])
      for (const view of ['List', 'Leaderboard']) {
        await app.getByRole('button', { name: view, exact: true }).click()
        expect(await axe(app)).toEqual([])
      }
      await expect(app.getByRole('table', { name: 'Models by Final loss' }).getByRole('row').first()).toContainText('knows ls')
    })

    await test.step('search, star, tag and archive', async () => {
      await open(app, server, '/models?view=list')
      const rows = app.getByRole('grid', { name: 'Models' }).locator('[role=row][aria-selected]')
      await expect(rows).toHaveCount(2)
      await app.keyboard.press('/')
      await expect(app.getByRole('searchbox')).toBeFocused()
      await app.keyboard.type('nothing')
      await expect(rows).toHaveCount(1)
      await app.getByRole('searchbox').fill('')
      await app.getByRole('button', { name: 'Star knows ls' }).click()
      await app.getByRole('button', { name: 'Starred', exact: true }).click()
      await expect(rows).toHaveCount(1)
      await app.getByRole('link', { name: 'knows ls' }).click()
      await menu(app, /^Rename/)
      await app.getByRole('textbox', { name: 'Name' }).fill('lists files')
      await app.getByRole('textbox', { name: /^Tags/ }).fill('demo, tiny')
      await app.getByRole('textbox', { name: 'Note' }).fill('Sixty steps are enough.')
      expect(await axe(app)).toEqual([])
      await app.keyboard.press('Control+Enter')
      await expect(app.getByRole('heading', { name: 'lists files', level: 1 })).toBeVisible()
      await menu(app, 'Archive')
      await expect(app.getByText('archived', { exact: true })).toBeVisible()
      await menu(app, 'Unarchive')
      await expect(app.getByText('archived', { exact: true })).toBeHidden()
    })

    await test.step('an export, with the answers of both side by side', async () => {
      await expect(app.getByRole('region', { name: 'the command for vLLM, 16-bit' })).toContainText('vllm serve ')
      await app.getByRole('button', { name: 'Export …' }).click()
      await app.getByRole('radio', { name: /^q8_0/ }).check()
      expect(await axe(app)).toEqual([])
      await app.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
      await expect(app.getByRole('progressbar', { name: 'Export' })).toBeVisible()
      await app.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      const row = app.getByRole('row', { name: /^GGUF q8_0/ })
      await expect(row).toContainText('2 of 2 the same', { timeout: EXPORT_MS })
      await expect(row).toContainText('2 of 2 tool calls')
      await expect(app.getByRole('region', { name: 'the command for llama.cpp, q8_0' })).toContainText('llama-server -m ')
      await row.getByRole('button', { name: /2 of 2 the same/ }).click()
      await expect(app.getByRole('dialog').getByRole('listitem')).toHaveCount(2)
      await expect(app.getByRole('dialog')).toContainText('same tool call')
      expect(await axe(app)).toEqual([])
      await app.keyboard.press('Escape')
    })

    await test.step('every node of its lineage leads to a page', async () => {
      const graph = app.getByRole('region', { name: 'Lineage graph' })
      await expect(graph.getByRole('link', { name: /GGUF|gguf/ })).toBeVisible()
      expect(await axe(app)).toEqual([])
      await graph.getByRole('link', { name: /^Run/ }).click()
      await expect(app).toHaveURL(/\/training\//)
      await app.goBack()
      await app.getByRole('link', { name: 'Model card' }).click()
      await expect(app.getByRole('article', { name: 'Model card' })).toContainText('Training data')
      expect(await axe(app)).toEqual([])
    })

    await test.step('it makes the call that it has learned, its base does not', async () => {
      await app.getByRole('link', { name: 'Try it' }).click()
      for (const side of ['Base model', 'Trained model']) {
        const head = app.getByRole('region', { name: side })
        await head.getByRole('button', { name: 'Load' }).click()
        await expect(head).toContainText(/Ready · .* of memory/, { timeout: EXPORT_MS })
      }
      await app.getByRole('textbox', { name: /^Tools/ }).fill(JSON.stringify([BASH_TOOL]))
      await app.getByRole('textbox', { name: /^Max answer length/ }).fill('60')
      await app.getByRole('textbox', { name: 'Message to both models' }).fill(LS_PROMPTS[1] ?? '')
      await app.keyboard.press('Control+Enter')
      const answer = (side: string) => app.getByRole('article', { name: `Answer of ${side}` })
      await expect(answer('Trained model').getByRole('region', { name: 'Call of Bash' })).toContainText('$ ls')
      await expect(answer('Trained model')).toContainText(/\d tokens\/s · first after \d/)
      await expect(answer('Base model')).toContainText(/tokens\/s/)
      await expect(answer('Base model').getByRole('region', { name: 'Call of Bash' })).toBeHidden()
      expect(await axe(app)).toEqual([])

      // the chat stays over another tab of the model and a reload of the page
      const call = answer('Trained model').getByRole('region', { name: 'Call of Bash' })
      await app.getByRole('link', { name: 'Overview' }).click()
      await app.getByRole('link', { name: 'Try it' }).click()
      await expect(call).toContainText('$ ls')
      await reload(app)
      await expect(call).toContainText('$ ls')
      await expect(app.getByRole('textbox', { name: /^Max answer length/ })).toHaveValue('60')

      // what the tool put out goes to the side that had asked for it
      await app.getByRole('button', { name: 'Tool output' }).click()
      await app.getByRole('textbox', { name: 'Tool output' }).fill('a.txt')
      await app.getByRole('button', { name: /^Send/ }).click()
      await expect(app.getByText('This model requested no tool.')).toBeVisible()
      await expect(app.getByRole('button', { name: /^Stop/ })).toBeHidden()
      await app.getByRole('button', { name: 'Clear' }).click()
      await expect(app.getByRole('heading', { name: 'Write a message' })).toBeVisible()
      await app.getByRole('button', { name: 'Unload model' }).first().click()
      await expect(app.getByText('Not loaded.')).toBeVisible()
    })

    await test.step('an answer is stopped in its middle, its page closed, its server killed: what came stays, the next works', async () => {
      await app.getByRole('link', { name: 'Try it' }).click()
      const head = (side: string) => app.getByRole('region', { name: side })
      await head('Base model').getByRole('button', { name: 'Load' }).click()
      for (const side of SIDES) await expect(head(side)).toContainText(/Ready/, { timeout: EXPORT_MS })
      expect(serversOf(workspace)).toHaveLength(2)
      const answer = (side: string, at: number) =>
        app.getByRole('region', { name: /^Message \d+$/ }).nth(at).getByRole('article', { name: `Answer of ${side}` }) // prettier-ignore
      const ask = async (page: Page, tokens: number) => {
        await expect(page.getByRole('button', { name: /^Stop/ })).toBeHidden() // nothing is sent while a model answers
        await page.getByRole('textbox', { name: /^Tools/ }).fill('') // with tools, line breaks are delayed until more text comes
        await page.getByRole('textbox', { name: /^Max answer length/ }).fill(String(tokens))
        await page.getByRole('textbox', { name: 'Message to both models' }).fill('Say it on and on.')
        await page.keyboard.press('Control+Enter')
      }
      await ask(app, 8000)
      await expect(answer('Base model', 0).locator('p').first()).toHaveText(SOME)
      await app.getByRole('button', { name: /^Stop/ }).click()
      await expect(answer('Base model', 0)).toContainText(/stopped\d[\d,]* tokens · [\d.,k]+ tokens\/s · first after/)
      const half = await answer('Base model', 0).locator('p').first().textContent()
      expect(await axe(app)).toEqual([])
      await ask(app, 8)
      await expect(answer('Base model', 1)).toContainText(/\b8 tokens · /)
      await reload(app)
      expect(await answer('Base model', 0).locator('p').first().textContent()).toBe(half)

      const other = await app.context().newPage()
      await open(other, server, new URL(app.url()).pathname)
      await ask(other, 8000)
      await expect(other.getByRole('article', { name: 'Answer of Base model' }).locator('p').first()).toHaveText(SOME)
      await other.close()
      await ask(app, 8) // one answer at a time: it would wait for the end of the other
      await expect(answer('Base model', 2)).toContainText(/\b8 tokens · /)

      await ask(app, 8000)
      await expect(answer('Base model', 3).locator('p').first()).toHaveText(SOME)
      for (const { pid, file } of serversOf(workspace)) if (file.includes('base')) process.kill(pid, 'SIGKILL')
      await expect(answer('Base model', 3).getByRole('alert')).toContainText('The model server has ended')
      await expect(answer('Base model', 3)).toContainText(/\d[\d,]* tokens · /)
      await expect(head('Base model')).toContainText('The model server ended')
      await expect(app.getByRole('button', { name: /^Stop/ })).toBeHidden()
      await ask(app, 8)
      await expect(answer('Trained model', 4)).toContainText(/tokens · /)
      await head('Base model').getByRole('button', { name: 'Load' }).click()
      await expect(head('Base model')).toContainText(/Ready/, { timeout: EXPORT_MS })
      await ask(app, 8)
      await expect(answer('Base model', 5)).toContainText(/\b8 tokens · /)
      await app.getByRole('button', { name: 'Clear' }).click()
      await head('Base model').getByRole('button', { name: 'Unload model' }).click()
      await expect.poll(() => serversOf(workspace)).toHaveLength(1)
    })

    await test.step('two models against each other', async () => {
      await open(app, server, '/models')
      await expect(models(app)).toContainText('loaded')
      for (const key of ['j', 'x', 'j', 'x', 'v']) await app.keyboard.press(key)
      const table = app.getByRole('table', { name: 'Figures of the models' })
      await expect(table.getByRole('row', { name: /^Final loss/ })).toContainText('best')
      await expect(table.getByRole('row', { name: /^Tokens per second/ })).toContainText('not measured')
      await expect(app.getByRole('figure', { name: /trained with train\.jsonl/ })).toContainText('2 models')
      expect(await axe(app)).toEqual([])
    })

    await test.step('in the light theme', async () => {
      for (const place of ['/models', '/models?view=list', '/models?view=leaderboard']) {
        await open(app, server, place)
        await expect(app.getByText('lists files').first()).toBeVisible()
        expect(await axe(app)).toEqual([])
      }
      await app.getByRole('link', { name: 'lists files' }).first().click()
      await expect(app.getByRole('region', { name: 'Lineage graph' })).toBeVisible()
      expect(await axe(app)).toEqual([])
      await app.getByRole('link', { name: 'Try it' }).click()
      await expect(app.getByRole('region', { name: 'Trained model' })).toBeVisible()
      expect(await axe(app)).toEqual([])
    })

    await test.step('a model that is loaded is kept; then it goes with its files', async () => {
      await menu(app, 'Delete …')
      await expect(app.getByRole('dialog')).toContainText('It is loaded under Try it')
      await app.keyboard.press('Escape')
      await app.getByRole('button', { name: 'Unload model' }).first().click()
      await expect(app.getByText('Not loaded.')).toHaveCount(2)
      await menu(app, 'Delete …')
      const dialog = app.getByRole('dialog')
      await expect(dialog).toContainText(/2 artifacts \(.*B\): Merged, 16-bit, GGUF q8_0/)
      await expect(dialog.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
      await dialog.getByRole('textbox').fill('lists files')
      expect(await axe(app)).toEqual([])
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect(app.getByText('lists files deleted')).toBeVisible()
      await expect(models(app).getByRole('listitem')).toHaveCount(1)
    })
    fs.rmSync(baseModel, { recursive: true, force: true })
  })
})
