import { expect, it } from 'vitest'
import { readDockerfile } from './dockerfile.ts'

const A = 'FROM a:1\n'
const REFUSED: [name: string, dockerfile: string, why: RegExp][] = [
  ['an address after an empty continuation line', `${A}ADD \\\n\nhttp://127.0.0.1/x /x`, /downloads/],
  ['a word cut by a continuation', `${A}AD\\\nD ht\\\ntp://127.0.0.1/x /x`, /downloads/],
  ['a repository', `${A}ADD git@example.org:a/b.git /x`, /downloads/],
  ['an address in a list', `${A}ADD ["http://127.0.0.1/x", "/x"]`, /downloads/],
  ['an address in escapes of a list', `${A}ADD ["\\u0068ttp:\\u002f/127.0.0.1/x", "/x"]`, /downloads/],
  ['an address in a variable', `${A}ARG U=http://h/x\nADD $U /x`, /downloads/],
  ['an archive', `${A}ADD bomb.tar.gz /x`, /unpacks/],
  ['ONBUILD', `FROM a:1 AS a\nONBUILD ADD http://127.0.0.1/x /x\nFROM a`, /another build/],
  ['another escape character', `# escape=\`\n${A}ADD \`\nhttp://h/x /x`, /escape/],
  ['a here-document', `${A}RUN <<EOF\nADD http://h/x /x\nEOF`, /here-document/],
  ['a here-document of COPY', `${A}COPY <<EOF /x\nEOF\n`, /not understood|is not an instruction/],
  ['a mount', `${A}RUN --mount=type=bind,from=b:1 true`, /BuildKit/],
  ['several backslashes', `${A}RUN a \\\\\nADD http://h/x /x`, /backslashes/],
  ['a carriage return', `${A}RUN a\rADD http://h/x /x`, /control character/],
  ['an unusual space', `${A}ADD\u00A0http://h/x /x`, /control character/],
  ['a source that is quoted', `${A}COPY --from="b:1" /x /x`, /option/],
  ['a source in a variable', `${A}COPY --from=$B /x /x`, /option/],
  ['a later stage', `${A}COPY --from=1 /x /x`, /not before it/],
  ['an unknown instruction', `${A}FETCH x`, /understood/],
  ['an image in an unknown variable', 'FROM $A', /not known/],
]
it.each(REFUSED)('refuses a Dockerfile with %s', (_, dockerfile, why) => {
  expect(readDockerfile(dockerfile)).toMatchObject({ plan: null, problem: expect.stringMatching(why) as string })
})

it('finds every image, also behind empty continuation lines and comments', () => {
  const { images, plan } = readDockerfile(
    '# syntax=docker/dockerfile:1\nARG V=2\nFROM --platform=linux/amd64 a:$V AS One\nCOPY \\\n\n# a\n--from=h:99/evil:1 /a /b\nFROM one\nCOPY --from=ONE /a /b\nADD a b/',
  )
  expect(images).toEqual(['a:2', 'h:99/evil:1'])
  expect(plan!.stages).toEqual([
    { base: { image: 'a:2' }, steps: [{ kind: 'copy', from: { image: 'h:99/evil:1' }, line: '/a /b' }] },
    {
      base: { stage: 0 },
      steps: [
        { kind: 'copy', from: { stage: 0 }, line: '/a /b' },
        { kind: 'copy', from: null, line: 'a b/' },
      ],
    },
  ])
})

it.each([
  ['FROM debian\nRUN true', ['debian'], null],
  [
    'ARG V=1\nFROM --platform=linux/amd64 a/b:${V} AS base\nFROM base\nCOPY --from=0 /x /x\nCOPY --from=c:2 /y /y\nFROM scratch',
    ['a/b:1', 'c:2'],
    null,
  ],
  ['FROM debian\n# ADD https://example.org/x /\nADD x \\\n /x', ['debian'], null],
  ['FROM debian\nADD \\\n  https://example.org/x /x', [], /downloads/],
  ['FROM debian\nADD $WHERE /x', [], /downloads/],
  ['ARG V\nFROM debian:$V', [], /not known before/],
  ['# escape=`\nFROM debian', [], /escape/],
])('lists what the build of a Dockerfile downloads: %#', (dockerfile, images, problem) => {
  const found = readDockerfile(dockerfile)
  expect(found.images).toEqual(images)
  expect(found.problem ?? '').toMatch(problem ?? /^$/)
})
