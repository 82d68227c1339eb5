import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Lineage, LineageNode, Model } from '#contracts/entities/model.ts'

/** Up to this many sessions of a data set get one node each; more share one node. */
const MAX_TRACE_NODES = 6

export interface LineageInput {
  model: Model
  runName: string | null
  /** The main data set, then the mixed-in ones with their weight. `id` is null for a file. */
  datasets: readonly { id: string | null; name: string; found: Dataset | null; weight: number | null }[]
  parent: { id: string; name: string } | null
  /** Title of a session; null if it was deleted. */
  titleOf: (traceId: string) => string | null
}

/** The graph from sessions through examples, data sets and run to the model and its exports. `href` is a page of the app. */
export function lineageOf({ model, runName, datasets, parent, titleOf }: LineageInput): Lineage {
  const nodes: LineageNode[] = []
  const edges: Lineage['edges'] = []
  const add = (node: Omit<LineageNode, 'count' | 'detail'> & Partial<LineageNode>, ...to: string[]) => {
    nodes.push({ detail: null, count: 1, ...node })
    for (const target of to) edges.push({ from: node.id, to: target })
  }
  const { lineage } = model
  const run = `run:${lineage.runId}`
  const modelNode = `model:${model.id}`

  for (const { id, name, found, weight } of datasets) {
    const weightText = weight === null ? [] : [`weight ${weight}`]
    if (!found) {
      const detail = [id === null ? 'a file' : 'no longer here', ...weightText].join(', ')
      add({ id: id === null ? 'dataset' : `dataset:${id}`, kind: 'dataset', label: name, detail, href: null }, run)
      continue
    }
    const set = `dataset:${found.id}`
    const examples = `examples:${found.id}`
    const href = `/factory/datasets/${found.id}`
    const { sources, counts } = found
    if (sources.length > MAX_TRACE_NODES)
      add({ id: `traces:${found.id}`, kind: 'trace', label: `${sources.length} sessions`, count: sources.length, href }, examples)
    else
      for (const { traceId, examples: exampleCount } of sources) {
        const trace = `trace:${traceId}`
        if (nodes.some((node) => node.id === trace)) {
          edges.push({ from: trace, to: examples }) // a session of several data sets
          continue
        }
        const title = titleOf(traceId)
        const detail = title === null ? 'no longer in the archive' : `${exampleCount} ${exampleCount === 1 ? 'example' : 'examples'}`
        add({ id: trace, kind: 'trace', label: title ?? traceId, detail, href: title === null ? null : `/traces?id=${traceId}` }, examples)
      }
    const rows = counts.train + counts.val + counts.test
    add({ id: examples, kind: 'example', label: `${rows} rows`, detail: `of kind ${found.kind}`, count: rows, href }, set)
    const policy = found.policyHash === null ? [] : [`policy ${found.policyHash.slice(0, 8)}`]
    const label = `${found.name} v${found.version}`
    add({ id: set, kind: 'dataset', label, detail: [...policy, ...weightText].join(', ') || null, href }, run)
  }

  if (parent) add({ id: `model:${parent.id}`, kind: 'model', label: parent.name, detail: 'base model', href: `/models/${parent.id}` }, run)
  else add({ id: 'base', kind: 'base', label: lineage.baseModel, detail: lineage.baseRevision, href: null }, run)
  add({ id: run, kind: 'run', label: runName ?? lineage.runId, detail: lineage.strategy, href: `/training/${lineage.runId}` }, modelNode)
  add({ id: modelNode, kind: 'model', label: model.name, href: `/models/${model.id}` })
  for (const { id, format, quantization, state } of model.artifacts.slice(1)) {
    const label = quantization === null ? format : `${format} ${quantization}`
    add({
      id: `export:${id}`,
      kind: 'export',
      label,
      detail: state === 'present' ? null : state,
      href: `/models/${model.id}?artifact=${id}`,
    })
    edges.push({ from: modelNode, to: `export:${id}` })
  }
  return { nodes, edges }
}
