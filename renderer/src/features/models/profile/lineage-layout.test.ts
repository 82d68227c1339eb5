import { expect, test } from 'vitest'
import type { Lineage } from '#contracts/entities/model.ts'
import { layOut, NODE } from './lineage-layout.ts'

const graph = (edges: [string, string][]): Lineage => ({
  nodes: [...new Set(edges.flat())].map((id) => ({ id, kind: 'trace', label: id, detail: null, href: null, count: 1 })),
  edges: edges.map(([from, to]) => ({ from, to })),
})
const columnOf = (layout: ReturnType<typeof layOut>) => {
  const xs = [...new Set(layout.nodes.map(({ x }) => x))].toSorted((a, b) => a - b)
  return Object.fromEntries(layout.nodes.map(({ id, x }) => [id, xs.indexOf(x)]))
}

const whole = graph([
  ['t1', 'examples'],
  ['t2', 'examples'],
  ['examples', 'dataset'],
  ['dataset', 'run'],
  ['base', 'run'],
  ['run', 'model'],
  ['model', 'q4'],
  ['model', 'q8'],
])

test('every edge leads to the right, and the base model is in the same column as the data set', () => {
  expect(columnOf(layOut(whole, 2000))).toEqual({ t1: 0, t2: 0, examples: 1, dataset: 2, base: 2, run: 3, model: 4, q4: 5, q8: 5 })
})

test('nodes do not overlap, and all nodes are inside the graph', () => {
  const { nodes, width, height } = layOut(whole, 2000)
  for (const a of nodes) {
    expect(a.x >= 0 && a.y >= 0 && a.x + NODE.most <= width && a.y + NODE.height <= height).toBe(true)
    for (const b of nodes) {
      if (a === b) continue
      expect(Math.abs(a.x - b.x) >= NODE.most || Math.abs(a.y - b.y) >= NODE.height).toBe(true)
    }
  }
})

test('a cycle does not loop forever, edges to missing nodes are dropped, and an empty graph stays empty', () => {
  expect(layOut(graph([['a', 'b'], ['b', 'a']]), 2000).nodes).toHaveLength(2) // prettier-ignore
  expect(layOut({ ...whole, edges: [...whole.edges, { from: 'model', to: 'gone' }] }, 2000).edges).toHaveLength(8)
  expect(layOut({ nodes: [], edges: [] }, 2000)).toMatchObject({ nodes: [], edges: [], height: 0 })
})

test('nodes are as wide as fits, between the minimum and maximum width', () => {
  expect(layOut(whole, 2000).nodeWidth).toBe(NODE.most)
  const fitting = layOut(whole, 900)
  expect(fitting.width).toBeLessThanOrEqual(900)
  expect(fitting.nodeWidth).toBeGreaterThan(NODE.least)
  expect(layOut(whole, 100).nodeWidth).toBe(NODE.least)
})
