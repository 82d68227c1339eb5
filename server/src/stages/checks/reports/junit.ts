import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { CheckedTest } from '#contracts/entities/check.ts'
import { type Report, shortened } from './report.ts'

type Node = Record<string, unknown>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: true,
  htmlEntities: true, // numeric entities: line ends in attributes
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error'].includes(name),
})

/** Reads JUnit XML of Mocha: groups have names of any kind, and only newer versions name files. */
export function mochaReport(text: string): Report | null {
  const report = junitReport(text)
  const files = report?.places?.filter((place) => /\.[cm]?[jt]sx?$/.test(place)) ?? []
  return report && { tests: report.tests, ...(files.length > 0 && { places: files }) }
}

/** Reads JUnit XML as written by pytest, Vitest, Mocha and Bats. Null if it is not a complete document of this kind. */
export function junitReport(text: string): Report | null {
  if (XMLValidator.validate(text) !== true) return null
  const root = parser.parse(text) as Node
  if (!('testsuites' in root) && !('testsuite' in root)) return null
  const tests: CheckedTest[] = []
  const places = new Set<string>()
  collect(root, tests, places)
  return { tests, places: [...places] }
}

function collect(node: Node, tests: CheckedTest[], places: Set<string>): void {
  for (const one of listOf(node['testcase'])) {
    tests.push(testOf(one))
    for (const place of [one['@file'], one['@classname']]) if (typeof place === 'string') places.add(place)
  }
  const { testsuites } = node
  if (typeof testsuites === 'object' && testsuites !== null) collect(testsuites as Node, tests, places)
  for (const suite of listOf(node['testsuite'])) collect(suite, tests, places)
}

const listOf = (value: unknown): Node[] =>
  (Array.isArray(value) ? value : []).filter((one): one is Node => typeof one === 'object' && one !== null)

function testOf(node: Node): CheckedTest {
  const text = (name: string) => (typeof node[`@${name}`] === 'string' ? (node[`@${name}`] as string) : '')
  const group = text('classname')
  const name = text('name')
  const seconds = Number(text('time'))
  const readMessage = (what: 'failure' | 'error') => (what in node ? messageOf((node[what] as unknown[])[0]) : undefined)
  const failure = readMessage('failure')
  const error = readMessage('error')
  const outcome = error !== undefined ? 'error' : failure !== undefined ? 'failed' : 'skipped' in node ? 'skipped' : 'passed'
  return {
    name: group && group !== 'test' && group !== name ? `${group} > ${name}` : name, // Node calls every group "test"
    outcome,
    durationMs: text('time') !== '' && Number.isFinite(seconds) ? seconds * 1000 : null,
    message: shortened(error ?? failure),
  }
}

function messageOf(node: unknown): string {
  if (typeof node === 'string') return node
  const { '@message': message, '#text': body } = (node ?? {}) as Record<string, unknown>
  return [message, body].filter((part): part is string => typeof part === 'string' && part !== '').join('\n')
}
