import type { Lineage, LineageNode } from '#contracts/entities/model.ts'

export interface PlacedNode extends LineageNode {
  x: number
  y: number
}
export interface PlacedEdge {
  id: string
  path: string
}
export interface LineageLayout {
  nodes: PlacedNode[]
  edges: PlacedEdge[]
  width: number
  height: number
  nodeWidth: number
}

export const NODE = { least: 104, most: 168, height: 46 } as const
const GAP = { x: 28, y: 12 } as const
const PAD = 4

/**
 * Columns run from left to right. Each node is one column after its last predecessor; the nodes of a column are vertically
 * centred in the given order. A node without a predecessor is placed just before its successor, to keep lines short.
 * Nodes are as wide as fits into `available` px, within their bounds.
 */
export function layOut({ nodes, edges }: Lineage, available: number): LineageLayout {
  const columns = columnsOf(nodes, edges)
  const count = Math.max(0, ...columns.values()) + 1
  const fitting = Math.floor((available - 2 * PAD - (count - 1) * GAP.x) / count)
  const nodeWidth = Math.max(NODE.least, Math.min(NODE.most, fitting))
  const inColumn = Array.from({ length: count }, (_, column) => nodes.filter(({ id }) => columns.get(id) === column))
  const rows = Math.max(0, ...inColumn.map(({ length }) => length))
  const height = rows * (NODE.height + GAP.y) - GAP.y + 2 * PAD
  const placed = inColumn.flatMap((column, at) => {
    const top = (height - (column.length * (NODE.height + GAP.y) - GAP.y)) / 2
    return column.map((node, row) => ({ ...node, x: PAD + at * (nodeWidth + GAP.x), y: top + row * (NODE.height + GAP.y) }))
  })
  const byId = new Map(placed.map((node) => [node.id, node]))
  return {
    nodes: placed,
    edges: edges.flatMap(({ from, to }) => {
      const [a, b] = [byId.get(from), byId.get(to)]
      return a && b ? [{ id: `${from} ${to}`, path: curve(a, b, nodeWidth) }] : []
    }),
    width: count * (nodeWidth + GAP.x) - GAP.x + 2 * PAD,
    height: Math.max(0, height),
    nodeWidth,
  }
}

function columnsOf(nodes: Lineage['nodes'], edges: Lineage['edges']): Map<string, number> {
  const columns = new Map(nodes.map(({ id }) => [id, 0]))
  // the longest path to each node; at most as many rounds as nodes, so that a cycle in bad data cannot loop forever
  for (let round = 0; round < nodes.length; round += 1) {
    let changed = false
    for (const { from, to } of edges) {
      const [a, b] = [columns.get(from), columns.get(to)]
      if (a === undefined || b === undefined || b > a) continue
      columns.set(to, a + 1)
      changed = true
    }
    if (!changed) break
  }
  for (const { id } of nodes) {
    if (edges.some(({ to }) => to === id)) continue
    const nearest = Math.min(...edges.flatMap(({ from, to }) => (from === id ? (columns.get(to) ?? []) : [])))
    if (Number.isFinite(nearest)) columns.set(id, Math.max(0, nearest - 1))
  }
  return columns
}

function curve(from: PlacedNode, to: PlacedNode, width: number): string {
  const [x1, y1] = [from.x + width, from.y + NODE.height / 2]
  const [x2, y2] = [to.x, to.y + NODE.height / 2]
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}
