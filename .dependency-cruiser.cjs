/** Imports run one way: shell → screens → commands → api → store → domain, and ui beside them. */

const layers = {
  domain: [],
  xls: ['domain'],
  store: ['domain'],
  api: ['domain', 'store'],
  ui: [],
  commands: ['domain', 'xls', 'store', 'api'],
  'commands/surfaces': ['domain', 'store', 'api', 'commands', 'ui'],
  screens: ['domain', 'store', 'api', 'commands', 'ui'],
  shell: ['domain', 'store', 'api', 'commands', 'ui', 'screens'],
}

/** Returns the pattern of paths in one of these folders. */
const inside = folders => `^(${folders.join('|')})/`

const oneWay = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer.replace('/', '-')}-imports`,
  comment: `src/${layer} imports ${allowed.length > 0 ? allowed.join(', ') : 'none of the other layers'}`,
  severity: 'error',
  from: { path: `^src/${layer}/`, ...(layer === 'commands' && { pathNot: '^src/commands/surfaces/' }) },
  to: {
    path: '^(src|server|simulator)/',
    pathNot: [
      inside([layer, ...allowed].map(name => `src/${name}`)),
      // The store uses the contract's types of list queries and sessions, which are not part of the build.
      ...(layer === 'store' ? ['^src/api/contract/'] : []),
    ],
  },
}))

const rules = [
  {
    name: 'store-imports-only-types-of-the-contract',
    from: { path: '^src/store/' },
    to: { path: '^src/api/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'screens-are-independent',
    comment: 'Code that two screens share belongs in ui or commands',
    from: { path: '^src/screens/([^/]+)/' },
    to: { path: '^src/screens/([^/]+)/', pathNot: '^src/screens/$1/' },
  },
  {
    name: 'commands-import-no-surface',
    comment: 'Commands act on the page through Services',
    from: { path: '^src/commands/', pathNot: '^src/commands/surfaces/' },
    to: { path: '^src/commands/surfaces/' },
  },
  {
    name: 'commands-use-no-react',
    comment: 'Commands act on the page through Services; what a surface shows is state',
    from: { path: '^src/commands/', pathNot: '^src/commands/surfaces/' },
    to: { path: '/node_modules/react', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'command-core-is-independent',
    comment: 'The core of the commands does not depend on their subjects',
    from: { path: '^src/commands/core/' },
    to: { path: '^src/commands/', pathNot: '^src/commands/core/' },
  },
  {
    name: 'server-imports',
    comment: 'The server shares only the contract and the domain with the console',
    from: { path: '^server/', pathNot: '^server/demo/' },
    to: { path: '^(src|simulator|cli|tests|scripts)/', pathNot: '^src/(api/contract|domain)/' },
  },
  {
    name: 'demo-imports',
    comment: 'The history of the demo is generated with the simulator’s model of a unit',
    from: { path: '^server/demo/' },
    to: { path: '^(src|simulator|cli|tests|scripts)/', pathNot: '^(src/(api/contract|domain)|simulator/model)/' },
  },
  {
    name: 'simulator-imports',
    from: { path: '^simulator/' },
    to: { path: '^(src|server|cli)/', pathNot: '^(src/domain|server/protocol)/' },
  },
  {
    name: 'cli-imports',
    comment: 'The command line shares only the contract and the domain with the console, and calls the server by HTTP',
    from: { path: '^cli/' },
    to: { path: '^(src|server|simulator|tests|scripts)/', pathNot: '^src/(api/contract|domain)/' },
  },
  {
    name: 'console-imports',
    comment: 'The console imports neither the server nor tests or scripts',
    from: { path: '^src/' },
    to: { path: '^(server|simulator|cli|tests|scripts)/' },
  },
  {
    name: 'fetch-only-in-api',
    from: { path: '^src/', pathNot: '^src/api/' },
    to: { path: '/wretch/' },
  },
  { name: 'no-cycles', from: {}, to: { circular: true } },
  {
    name: 'no-folder-cycles',
    comment: 'Folders must not need each other, directly or in a ring',
    scope: 'folder',
    from: { path: '^(src|server|simulator|cli)/' },
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment: 'No module imports it',
    from: { orphan: true, path: '^(src|server|simulator|cli)/', pathNot: '[.]d[.]ts$' },
    to: {},
  },
  {
    name: 'no-barrels',
    comment: 'Import from the file that defines it',
    from: {},
    to: { path: '/index[.]tsx?$', pathNot: 'node_modules' },
  },
  { name: 'resolvable', from: {}, to: { couldNotResolve: true, pathNot: '[.]css$' } },
]

module.exports = {
  forbidden: [...oneWay, ...rules.map(rule => ({ severity: 'error', ...rule }))],
  options: {
    // dependency-cruiser does not support the TypeScript 7 compiler and would silently read no modules.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules/.cache)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
