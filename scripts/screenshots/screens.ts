// Every screen of the app, how to open it, and the requests it makes, which the states "loading" and "error" block or refuse.
import type { Page } from 'playwright'
import { estimateGrowth } from './factory.ts'
import { DIVERGED, PREFERRED, REWARDED, WAITING } from './runs.ts'

/** Ids of the objects that the screens show. */
export interface Known {
  fix: string
  awkward: string
  /** The newest version of the data set; `olderDataset` is the version before. */
  dataset: string
  olderDataset: string
  pair: string
  /** The example with the most steps. */
  example: string
  /** Something that the scan found. */
  finding: string
  /** The newest model; `olderModel` is the model before. */
  model: string
  olderModel: string
  /** Run ids by name. */
  runs: Readonly<Record<string, string>>
}

export interface Screen {
  name: string
  place: string | ((known: Known) => string)
  /** Actions on the loaded page before the screenshot. */
  act?: (page: Page) => Promise<unknown>
  /** `act` does not need the requests in `reads`, so it also runs in "loading" and "error". */
  actsWithout?: boolean
  /** Paths of the screen's requests, blocked in "loading" and refused in "error". If missing, the screen has neither state. */
  reads?: RegExp
  /** The screen looks different if the archive is empty. */
  hasEmpty?: boolean
  /** The screen looks different with 10,000 sessions. */
  hasLarge?: boolean
}

const pressKeys = (keys: string) => (page: Page) => page.keyboard.press(keys)
const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const rows = (page: Page) => page.getByRole('grid', { name: 'Sessions' }).locator('[role=row][aria-selected]')

const settings = (section: string, reads: RegExp, more: Partial<Screen> = {}): Screen => ({
  name: `settings-${section}`,
  place: `/settings/${section}`,
  reads,
  ...more,
})

const trace = (tab: string, more: Partial<Screen> = {}): Screen => ({
  name: `trace-${tab}`,
  place: ({ fix }) => `/traces?id=${fix}${tab === 'transcript' ? '' : `&tab=${tab}`}`,
  reads: /^\/api\/traces\/\w{20,}/,
  ...more,
})

const dataset = (tab: string, reads: RegExp, more: Partial<Screen> = {}): Screen => ({
  name: `dataset-${tab}`,
  place: ({ dataset: id }) => `/factory/datasets/${id}${tab === 'overview' ? '' : `?tab=${tab}`}`,
  reads,
  ...more,
})

const tasksShown = (page: Page) => page.getByRole('group', { name: 'Tasks of this session' }).waitFor()

export const SCREENS: readonly Screen[] = [
  { name: 'home', place: '/', reads: /^\/api\/(home|traces)\b/, hasEmpty: true, hasLarge: true },
  {
    name: 'home-tables',
    place: '/',
    act: async (page) => {
      const button = page.getByRole('button', { name: 'Show as table' })
      while ((await button.count()) > 0) await button.first().click()
    },
    hasLarge: true,
  },
  { name: 'traces', place: '/traces', reads: /^\/api\/traces(\/facets)?$/, hasEmpty: true, hasLarge: true },
  {
    name: 'traces-facets',
    place: '/traces?q=tool:Bash',
    act: click('Show the facets'),
    actsWithout: true,
    reads: /^\/api\/traces\/facets$/,
    hasLarge: true,
  },
  {
    name: 'traces-selection',
    place: '/traces',
    act: async (page) => {
      for (const index of [0, 1, 2]) await rows(page).nth(index).getByRole('checkbox').check()
    },
    hasLarge: true,
  },
  {
    name: 'traces-completion',
    place: '/traces',
    act: async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('tier:gold to')
    },
  },
  { name: 'traces-columns', place: '/traces', act: click(/columns/i) },
  { name: 'traces-no-match', place: '/traces?q=tool:Nothing' },
  { name: 'traces-bad-term', place: '/traces?q=tier:platinum%20cost:cheap%20tool:Bash' },
  { name: 'traces-gone', place: `/traces?id=${'a'.repeat(26)}` },
  trace('transcript'),
  trace('facts', {
    act: async (page) => {
      await page.getByRole('button', { name: /^Efficiency/ }).click()
      await page.getByRole('button', { name: 'Add note' }).click()
    },
  }),
  trace('diff'),
  trace('raw'),
  { name: 'trace-awkward', place: ({ awkward }) => `/traces?id=${awkward}` },
  { name: 'trace-awkward-facts', place: ({ awkward }) => `/traces?id=${awkward}&tab=facts` },
  { name: 'trace-awkward-diff', place: ({ awkward }) => `/traces?id=${awkward}&tab=diff` },
  { name: 'trace-history', place: ({ fix }) => `/traces?id=${fix}`, act: click('Tier history') },
  { name: 'trace-menu', place: ({ fix }) => `/traces?id=${fix}`, act: click(/^More/) },
  {
    name: 'trace-search',
    place: ({ fix }) => `/traces?id=${fix}`,
    act: async (page) => {
      await page.getByPlaceholder('Search this session').fill('calc')
      await page.keyboard.press('Enter')
      await page.getByText('searching').waitFor({ state: 'detached' })
    },
  },
  { name: 'trace-next-error', place: ({ fix }) => `/traces?id=${fix}`, act: pressKeys(']') },
  { name: 'trace-tasks', place: ({ fix }) => `/traces?id=${fix}`, act: tasksShown },
  { name: 'examples', place: '/factory/examples', reads: /^\/api\/factory\/examples(\/facets)?$/, hasEmpty: true },
  { name: 'examples-repos', place: '/factory/examples?picture=repos' },
  {
    name: 'example',
    place: ({ example }) => `/factory/examples?sort=-steps&id=${example}`,
    reads: /^\/api\/factory\/examples\/[a-z2-7]{26}$/,
  },
  {
    name: 'example-edit',
    place: ({ example }) => `/factory/examples?sort=-steps&id=${example}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit message 3' }).click()
      await page
        .getByLabel(/^Arguments of/)
        .first()
        .fill('{ "command": ls }')
    },
  },
  {
    name: 'examples-new',
    place: '/factory/examples/new',
    // with an empty archive the page has no options
    act: (page) => page.getByText('Options', { exact: true }).or(page.getByText('No sessions yet')).first().click(),
    reads: /^\/api\/traces\/facets$/,
    hasEmpty: true,
  },
  { name: 'examples-grow', place: '/factory/examples/grow', reads: /^\/api\/providers$/ },
  { name: 'examples-grow-variants', place: '/factory/examples/grow', act: (page) => estimateGrowth(page, 'Variants') },
  { name: 'examples-grow-tasks', place: '/factory/examples/grow', act: (page) => estimateGrowth(page, 'New tasks') },
  { name: 'datasets', place: '/factory/datasets', reads: /^\/api\/datasets$/, hasEmpty: true },
  dataset('overview', /^\/api\/datasets\/\w+(\/groups)?$/, {
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Max length' }).fill('1500')
      await page.getByRole('button', { name: 'Measure lengths' }).click()
      await page.getByRole('img', { name: 'Rows by length in tokens' }).waitFor()
    },
  }),
  {
    name: 'dataset-lengths',
    place: ({ dataset: id }) => `/factory/datasets/${id}`,
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Max length' }).fill('1500')
      await page.getByRole('button', { name: 'Measure lengths' }).click()
      await page.getByRole('img', { name: 'Rows by length in tokens' }).waitFor()
      await page.getByRole('heading', { name: 'Privacy' }).scrollIntoViewIfNeeded()
    },
  },
  dataset('rows', /^\/api\/datasets\/\w+\/examples$/),
  {
    name: 'dataset-preview',
    place: ({ dataset: id }) => `/factory/datasets/${id}?tab=rows&row=0`,
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Max length' }).fill('300')
      await page.getByText(/^Max length of/).waitFor()
    },
    reads: /^\/api\/factory\/preview$/,
  },
  {
    name: 'dataset-tokens',
    place: ({ dataset: id }) => `/factory/datasets/${id}?tab=rows&row=0`,
    act: (page) => page.getByRole('switch', { name: 'Token boundaries' }).click(),
  },
  dataset('dropped', /^\/api\/datasets\/\w+\/dropped$/),
  dataset('manifest', /^\/api\/datasets\/\w+$/),
  { name: 'dataset-export', place: ({ dataset: id }) => `/factory/datasets/${id}`, act: click('Export …') },
  {
    name: 'datasets-compare',
    place: ({ dataset: id, olderDataset }) => `/factory/datasets/compare?a=${olderDataset}&b=${id}`,
    reads: /^\/api\/datasets\/compare$/,
  },
  { name: 'datasets-new', place: '/factory/datasets/new' },
  {
    name: 'datasets-new-recipe',
    place: '/factory/datasets/new',
    act: async (page) => {
      for (const fold of ['Recipe', 'More settings']) await page.getByText(fold, { exact: true }).click()
      await page.getByRole('switch', { name: 'Keep personal data' }).click()
      await page.getByRole('button', { name: 'Add rule' }).click()
      await page.getByRole('heading', { name: 'Filtering and splits' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'train-on-this', place: '/factory/datasets/new?train=1', reads: /^\/api\/datasets\/plan$/, hasEmpty: true },
  { name: 'training-new-filled', place: ({ dataset: id }) => `/training/new?dataset=${id}&strategy=sft` },
  {
    name: 'datasets-import',
    place: '/factory/datasets/import',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'File' }).fill('/no/such/rows.jsonl')
      await page.getByRole('button', { name: 'Preview file' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'pairs', place: '/factory/pairs', reads: /^\/api\/factory\/pairs$/, hasEmpty: true },
  { name: 'pair', place: ({ pair }) => `/factory/pairs?id=${pair}`, reads: /^\/api\/factory\/pairs\/\w+$/ },
  { name: 'pairs-find', place: '/factory/pairs', act: click('Find pairs …') },
  { name: 'privacy', place: '/privacy', reads: /^\/api\/privacy\/(findings|facets)\b/, hasEmpty: true },
  {
    name: 'privacy-finding',
    place: ({ finding }) => `/privacy?id=${finding}`,
  },
  { name: 'privacy-decisions', place: '/privacy?view=decisions', reads: /^\/api\/privacy\/decisions$/, hasEmpty: true },
  { name: 'training', place: '/training', reads: /^\/api\/training$/, hasEmpty: true },
  {
    name: 'training-marked',
    place: '/training',
    act: async (page) => {
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    },
  },
  { name: 'training-new', place: '/training/new', reads: /^\/api\/training\/(base-models|environment)$/, hasEmpty: true },
  {
    name: 'training-new-plan',
    place: ({ model }) => `/training/new?from=${model}`,
    act: (page) => page.getByText('Rows by length').waitFor(),
    reads: /^\/api\/training\/plan$/,
  },
  {
    name: 'training-new-refused',
    place: ({ model }) => `/training/new?from=${model}`,
    act: async (page) => {
      await page.getByText('DPO', { exact: true }).click()
      await page.getByRole('img', { name: 'Prevents the start' }).or(page.getByLabel('Prevents the start')).first().waitFor()
    },
  },
  {
    name: 'training-new-settings',
    place: ({ runs: of }) => `/training/new?from=${of[REWARDED]}`,
    act: async (page) => {
      for (const fold of await page.locator('main summary').all()) await fold.click()
      await page.getByRole('heading', { name: 'Rewards' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'run', place: ({ model }) => `/training/${model}`, reads: /^\/api\/training\/[a-z2-7]{26}/ },
  ...(
    [
      ['preferences', PREFERRED],
      ['rewards', REWARDED],
      ['diverged', DIVERGED],
      ['waiting', WAITING],
    ] as const
  ).map(([name, run]): Screen => ({ name: `run-${name}`, place: ({ runs: of }) => `/training/${of[run]}` })),
  {
    name: 'run-rollouts',
    place: ({ runs: of }) => `/training/${of[REWARDED]}`,
    act: (page) => page.getByRole('heading', { name: 'Log' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'run-log',
    place: ({ model }) => `/training/${model}`,
    act: (page) => page.getByRole('heading', { name: 'Settings at start' }).scrollIntoViewIfNeeded(),
  },
  { name: 'runs-compare', place: ({ model, olderModel, runs: of }) => `/training/compare?runs=${model},${olderModel},${of[DIVERGED]}` },
  { name: 'runs-compare-none', place: '/training/compare' },
  { name: 'run-gone', place: `/training/${'a'.repeat(26)}` },
  { name: 'models', place: '/models', reads: /^\/api\/models$/, hasEmpty: true },
  {
    name: 'models-list',
    place: '/models?view=list',
    act: async (page) => {
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    },
  },
  { name: 'models-leaderboard', place: '/models?view=leaderboard' },
  { name: 'model', place: ({ model }) => `/models/${model}`, reads: /^\/api\/models\/[a-z2-7]{26}$/ },
  {
    name: 'model-lineage',
    place: ({ model }) => `/models/${model}`,
    act: (page) => page.getByRole('heading', { name: 'Origin' }).scrollIntoViewIfNeeded(),
    reads: /\/lineage$/,
    actsWithout: true,
  },
  { name: 'model-card', place: ({ model }) => `/models/${model}?tab=card`, reads: /\/card$/ },
  { name: 'model-export', place: ({ model }) => `/models/${model}`, act: click('Export …') },
  { name: 'model-parity', place: ({ model }) => `/models/${model}`, act: click(/ the same/) },
  {
    name: 'model-delete',
    place: ({ model }) => `/models/${model}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Delete …' }).click()
    },
  },
  { name: 'model-try', place: ({ model }) => `/models/${model}/try` },
  {
    name: 'model-chat',
    place: ({ model }) => `/models/${model}/try`,
    act: async (page) => {
      const loads = page.getByRole('button', { name: 'Load', exact: true })
      while ((await loads.count()) > 0) await loads.first().click()
      await page
        .getByText(/^Ready/)
        .nth(1)
        .waitFor({ timeout: 60_000 })
      await page.getByRole('button', { name: 'Insert held-out prompt' }).click()
      await page.getByRole('textbox', { name: /^Max answer length/ }).fill('60')
      await page.getByRole('button', { name: /^Send/ }).click()
      await page
        .getByText(/ in total$/)
        .nth(1)
        .waitFor({ timeout: 60_000 })
    },
  },
  {
    name: 'models-compare',
    place: ({ model, olderModel }) => `/models/compare?ids=${olderModel},${model}`,
    reads: /^\/api\/models\/compare$/,
  },
  { name: 'model-gone', place: `/models/${'a'.repeat(26)}` },
  { name: 'sandboxes', place: '/sandboxes', reads: /^\/api\/sandboxes$/, hasEmpty: true },
  { name: 'agents', place: '/agents', reads: /^\/api\/tasks$/, hasEmpty: true },
  { name: 'agents-new', place: '/agents/tasks/new' },
  { name: 'batches', place: '/agents/batches', reads: /^\/api\/batches$/, hasEmpty: true },
  { name: 'batches-new', place: '/agents/batches/new' },
  { name: 'shell-tasks', place: '/shell-tasks', reads: /^\/api\/shell-tasks$/ },
  { name: 'shell-tasks-generate', place: '/shell-tasks/new/generate' },
  { name: 'rollouts', place: '/shell-tasks/rollouts', reads: /^\/api\/rollouts$/, hasEmpty: true },
  { name: 'rollouts-new', place: '/shell-tasks/rollouts/new' },
  { name: 'environments', place: '/shell-tasks/environments', reads: /^\/api\/environments$/, hasEmpty: true },
  { name: 'jobs', place: '/jobs', reads: /^\/api\/jobs$/, hasEmpty: true, hasLarge: true },
  settings('capture', /^\/api\/(hooks|capture)\b/, { hasEmpty: true }),
  settings('scoring', /^\/api\/scoring\b/, { hasEmpty: true, hasLarge: true }),
  {
    name: 'settings-scoring-preview',
    place: '/settings/scoring',
    act: async (page) => {
      await page.getByLabel('gold: minimum success rate').fill('0.8')
      await page.getByRole('table', { name: 'Tier changes' }).first().waitFor()
    },
    reads: /^\/api\/scoring\/preview$/,
    hasLarge: true,
  },
  ...['appearance', 'notifications'].map((section) => settings(section, /^\/api\/settings$/)),
  settings('privacy', /^\/api\/privacy\b/, { hasEmpty: true }),
  {
    name: 'settings-privacy-types',
    place: '/settings/privacy',
    act: (page) =>
      page
        .getByRole('heading', { level: 2 })
        .nth(2)
        .evaluate((heading) => heading.scrollIntoView()),
  },
  {
    name: 'settings-privacy-end',
    place: '/settings/privacy',
    act: (page) => page.getByRole('heading', { name: 'Differential privacy' }).scrollIntoViewIfNeeded(),
  },
  settings('training', /^\/api\/training\/environment$/),
  settings('providers', /^\/api\/providers$/),
  {
    name: 'settings-providers-end',
    place: '/settings/providers',
    act: (page) => page.getByRole('region', { name: 'Limits' }).scrollIntoViewIfNeeded(),
  },
  settings('prices', /^\/api\/stats$/),
  ...['api', 'doctor', 'about'].map((section) => settings(section, /^\/api\/system\b/)),
  settings('storage', /^\/api\/(capture|stats|system)\b/, { hasEmpty: true, hasLarge: true }),
  { name: 'dialog', place: '/settings/storage', act: click('Rebuild …') },
  { name: 'palette', place: '/traces', act: pressKeys('Control+k') },
  { name: 'key-map', place: '/traces', act: pressKeys('?') },
  {
    name: 'rail-folded',
    place: '/traces',
    act: click('Collapse'),
  },
  { name: 'nowhere', place: '/nowhere' },
]

/** Screenshots that are not in the table: before the first run, without a server, signed out. */
export const OTHERS = [
  'first-run-no-history',
  'first-run',
  'first-run-importing',
  'jobs-running',
  'rollouts-set',
  'rollouts-attempts',
  'shell-task',
  'sandbox',
  'sandbox-taken',
  'sandbox-ended',
  'signed-out',
  'shell',
  'offline',
] as const

export const SCREEN_NAMES: readonly string[] = [...SCREENS.map(({ name }) => name), ...OTHERS]
