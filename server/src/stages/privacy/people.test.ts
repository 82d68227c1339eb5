import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openGate } from './gate.ts'
import { testGateInput } from './testing-gate.ts'

const gate = () => openGate(testGateInput({ defaultStrategy: 'synthetic' }))

/** A row as in a session: output of git, a file listing and a shell. */
const row = (name: string, account: string, mail = `${account}@corp.io`) => ({
  messages: [
    { role: 'tool', content: `drwxr-xr-x 2 ${account} ${account} 4096 May 14 10:11 src\nls /home/${account}/src/app.ts` },
    { role: 'tool', content: `commit 3f2a\nAuthor: ${name} <${mail}>\n\n    fix` },
  ],
})
const madeUpPerson = (cleared: unknown) => {
  const text = (cleared as ReturnType<typeof row>).messages.map(({ content }) => content).join('\n')
  const [, name, mail] = /Author: (.*) <(.*)@example\.(?:com|net|org)>/.exec(text)!
  return { name, mail, folder: /\/home\/([^/]+)\//.exec(text)![1]!, owner: /x 2 (\S+)/.exec(text)![1]! }
}

describe('made-up people', () => {
  it('have a matching name, mail address, user name and home folder', () => {
    const open = gate()
    const ada = madeUpPerson(open.clear(row('Ada Lovelace', 'ada', 'ada.lovelace@corp.io')))
    const [given, family] = ada.name!.toLowerCase().split(' ')
    expect(ada).toEqual({
      name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/),
      mail: `${given}.${family}`,
      folder: given,
      owner: given,
    })
    // the account is before the name in the row
    const short = madeUpPerson(open.clear(row('Ada Lovelace', 'alovelace')))
    expect(short).toEqual({ ...ada, mail: `${given![0]}${family}`, folder: `${given![0]}${family}`, owner: `${given![0]}${family}` })
    const joined = madeUpPerson(open.clear(row('Lovelace Ada', 'adalovelace')))
    expect(joined).toMatchObject({ mail: `${given}${family}`, folder: `${given}${family}` })
    const accents = madeUpPerson(open.clear(row('José Müller', 'jmuller', 'jose.muller@corp.io')))
    expect(accents.mail).toBe(accents.name!.toLowerCase().replace(' ', '.'))
    expect(accents.folder).toBe(`${accents.name![0]!.toLowerCase()}${accents.name!.toLowerCase().split(' ')[1]}`)
  })

  it('stay the same in the whole data set and in a second pass', () => {
    const open = gate()
    const first = open.clear(row('John Smith', 'jsmith'))
    expect(open.clear({ note: 'user: jsmith' }).note).toBe(`user: ${madeUpPerson(first).folder}`)
    expect(gate().clear(first)).toEqual(first)
    expect(open.clear(first)).toEqual(first)
  })

  it('are not merged by initials: an account belongs to the owner of the mail address', () => {
    const both = (account: string) => ({ messages: [...row('John Smith', account).messages, ...row('Jane Smith', 'jane.smith').messages] })
    const text = gate().clear(both('jsmith')).messages[1]!.content
    const [, name, mail] = /Author: (.*) <(.*)@/.exec(text)!
    expect(mail).toBe(`${name![0]!.toLowerCase()}${name!.toLowerCase().split(' ')[1]}`)
    // two people have this account at two companies, so it belongs to neither
    const two = { messages: [{ content: 'Author: John Smith <jsmith@corp.io>' }, { content: 'Author: Jane Smith <jsmith@nordhavn.dk>' }] }
    const shared = gate()
      .clear(two)
      .messages.map(({ content }) => /Author: \S+ (\S+) <(\S+)>/.exec(content)!)
    expect(shared[0]![2]).not.toBe(shared[1]![2])
    for (const one of shared) expect(one[2]).not.toContain(one[1]!.toLowerCase())
    // without the address both people fit, so it belongs to neither
    const unsure = {
      messages: [
        { content: 'Author: John Smith <john@corp.io>' },
        { content: 'Author: Jane Smith <jane@corp.io>' },
        { content: 'ls /home/jsmith/x' },
      ],
    }
    const after = gate()
      .clear(unsure)
      .messages.map(({ content }) => content)
    const family = /Author: \S+ (\S+) /.exec(after[0]!)![1]!.toLowerCase()
    expect(after[0]).not.toBe(after[1])
    expect(after[2]).not.toContain(family)
    expect(after[2]).not.toContain('smith')
  })

  it('do not depend on the order of rows', () => {
    const given = ['Ada', 'Bob', 'Carla', 'David', 'Elena', 'John', 'Jane', 'Peter']
    const family = ['Lovelace', 'Smith', 'Johnson', 'Miller', 'Garcia', 'Novak', 'Sandqvist']
    const form = fc.constantFrom(
      (first: string, last: string) => `${first}.${last}`,
      (first: string, last: string) => `${first}${last}`,
      (first: string, last: string) => `${first[0]}${last}`,
      (first: string, last: string) => `${last}${first[0]}`,
      (first: string, last: string) => `${first}_${last}`,
    )
    const person = fc.tuple(fc.constantFrom(...given), fc.constantFrom(...family), form)
    // accounts that fit two people are tested above
    const people = fc
      .uniqueArray(person, { minLength: 2, maxLength: 8, selector: ([first, last]) => `${first} ${last}` })
      .filter((all) => new Set(all.map(([first, last, of]) => of(first, last).toLowerCase())).size === all.length)
    fc.assert(
      fc.property(
        people.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const rowOf = ([first, last, of]: (typeof all)[number]) => row(`${first} ${last}`, of(first, last).toLowerCase())
          const open = gate()
          const names = new Map(all.map((one) => [`${one[0]} ${one[1]}`, madeUpPerson(open.clear(rowOf(one)))]))
          expect(new Set([...names.values()].map(({ name }) => name)).size).toBe(all.length)
          const other = gate()
          for (const one of shuffled) {
            const after = madeUpPerson(other.clear(rowOf(one)))
            expect(after.name).toBe(names.get(`${one[0]} ${one[1]}`)!.name)
            const [first = '', last = ''] = after.name!.toLowerCase().split(' ')
            const account = one[2](first, last)
            // accounts that became equal get a number
            expect(after.folder.replace(/\d+$/, '')).toBe(account)
            expect(after.mail).toBe(after.folder)
            expect(after.owner).toBe(after.folder)
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})
