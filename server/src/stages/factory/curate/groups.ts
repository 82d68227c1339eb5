/** Union-find over names. A group is named after its smallest member. */
export function createGroups() {
  const parents = new Map<string, string>()
  const rootOf = (name: string): string => {
    let root = name
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root)) root = parent
    for (let at = name; at !== root;) {
      const parent = parents.get(at)!
      parents.set(at, root)
      at = parent
    }
    return root
  }
  return {
    join(a: string, b: string): void {
      const [one, two] = [rootOf(a), rootOf(b)]
      if (one !== two) parents.set(one < two ? two : one, one < two ? one : two)
    },
    of: rootOf,
  }
}
