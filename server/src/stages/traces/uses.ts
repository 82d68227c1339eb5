import type { Lists } from './list.ts'

export interface Use {
  kind: 'mcp_server' | 'skill' | 'agent'
  name: string
  calls: number
  sessions: number
  lastAt: number | null
}

const SUMS = 'sum(n) AS calls, count(DISTINCT t.no) AS sessions, max(t.started_at) AS lastAt'
const SQL = `
  SELECT 'mcp_server' AS kind, substr(f.value, 6, instr(substr(f.value, 6), '__') - 1) AS name, ${SUMS}
  FROM trace_facets f JOIN traces t ON t.no = f.trace
  WHERE f.kind = 'tool' AND f.value LIKE 'mcp!_!_%!_!_%' ESCAPE '!' AND t.sample = 0 GROUP BY name
  UNION ALL
  SELECT 'skill', e.label, count(*), count(DISTINCT t.no), max(t.started_at)
  FROM trace_facets f JOIN traces t ON t.no = f.trace JOIN entries e ON e.trace = t.no AND e.kind = 'call' AND e.tool = 'Skill' AND e.rev <= t.rev
  WHERE f.kind = 'tool' AND f.value = 'Skill' AND t.sample = 0 AND e.label IS NOT NULL GROUP BY e.label
  UNION ALL
  SELECT 'agent', json_extract(a.value, '$.type'), count(*), count(DISTINCT t.no), max(t.started_at)
  FROM traces t JOIN trace_details d ON d.trace = t.no, json_each(d.subagents) a
  WHERE t.subagents > 0 AND t.sample = 0 AND json_extract(a.value, '$.type') IS NOT NULL GROUP BY 2`

/** How often sessions of the user used MCP servers, skills and kinds of sub-agents, by the names that sessions have. */
export async function usesOf(lists: Pick<Lists, 'query'>): Promise<Use[]> {
  const [rows] = (await lists.query([{ sql: SQL, params: [] }], false)) as [Use[]]
  return rows
}

/** The folders of the newest sessions. */
export async function foldersOf(lists: Pick<Lists, 'query'>, most: number): Promise<string[]> {
  const sql = 'SELECT cwd FROM traces WHERE cwd IS NOT NULL AND sample = 0 GROUP BY cwd ORDER BY max(started_at) DESC LIMIT ?'
  const [rows] = (await lists.query([{ sql, params: [most] }], false)) as [{ cwd: string }[]]
  return rows.map(({ cwd }) => cwd)
}
