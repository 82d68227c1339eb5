/**
 * Two kinds of tables. Derived ones are emptied and refilled from the archive by `rebuild`; own ones hold what the
 * user did and are never touched by it. `plumbing` is neither: it may be lost without loss.
 */
export const TABLES = {
  derived: [
    'archived_traces',
    'sources',
    'traces',
    'trace_details',
    'trace_facets',
    'entries',
    'responses',
    'search_gone',
    'scores',
    'privacy_findings',
    'privacy_scans',
    'segment_facts',
    'examples',
  ],
  own: [
    'forgotten',
    'settings',
    'decisions',
    'tags',
    'tag_acts',
    'notes',
    'views',
    'privacy_decisions',
    'dp_releases',
    'segment_cuts',
    'directory_scopes',
    'example_reviews',
    'example_edits',
    'example_sources',
    'datasets',
    'dataset_sides',
    'row_collections',
    'pairs',
    'pair_reviews',
  ],
  plumbing: ['ignored_files', 'meta', 'events', 'jobs'],
} as const
