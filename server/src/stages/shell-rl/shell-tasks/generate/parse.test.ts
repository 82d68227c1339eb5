import { describe, expect, it } from 'vitest'
import { parseAnswer } from './parse.ts'

const ANSWER = `# Step 1
They count.

# Step 2
Another count.

# Step 3: the task
## Description
Put the number of lines of /srv/a into /srv/b.

## Set-up commands
\`\`\`bash
mkdir -p /srv
seq 7 > /srv/a
\`\`\`

## Success condition
\`\`\`bash
[ "$(cat /srv/b)" = "$(wc -l < /srv/a)" ]
\`\`\`
`

describe('the answer of a model that writes a task', () => {
  it('is read from its three headings', () => {
    expect(parseAnswer(ANSWER)).toEqual({
      task: 'Put the number of lines of /srv/a into /srv/b.',
      setup: ['mkdir -p /srv', 'seq 7 > /srv/a'],
      check: '[ "$(cat /srv/b)" = "$(wc -l < /srv/a)" ]',
    })
  })

  it.each([
    ['a missing heading', ANSWER.replace('## Set-up commands', '## Setup'), 'Set-up commands'],
    ['a repeated heading', `${ANSWER}\n## Description\nmore`, 'Description'],
    ['text after the task', `${ANSWER}I hope this helps.`, 'success condition'],
    ['a set-up without a block', ANSWER.replace(/```bash\nmkdir[^`]*```/, 'seq 7'), 'set-up'],
    ['an invalid command', ANSWER.replace('seq 7 > /srv/a', 'seq 7 > "'), 'bash'],
    ['an empty success condition', ANSWER.replace(/\[ .*\]/, ''), 'success condition'],
    ['nothing', '', 'Description'],
  ])('is refused for %s', (_, text, reason) => {
    expect(parseAnswer(text)).toEqual({ reason: expect.stringContaining(reason) as string })
  })
})
