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

/** Paths that start with one of these folders. */
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
      // Types of the contract say what a list's query or a session holds; they leave nothing in the build.
      ...(layer === 'store' ? ['^src/api/contract/'] : []),
    ],
  },
}))

const rules = [
  {
    name: 'store-takes-only-types-of-the-contract',
    from: { path: '^src/store/' },
    to: { path: '^src/api/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'screens-stand-alone',
    comment: 'What two screens share belongs into ui or commands',
    from: { path: '^src/screens/([^/]+)/' },
    to: { path: '^src/screens/([^/]+)/', pathNot: '^src/screens/$1/' },
  },
  {
    name: 'commands-reach-no-surface',
    comment: 'What a command needs of the page comes through Services',
    from: { path: '^src/commands/', pathNot: '^src/commands/surfaces/' },
    to: { path: '^src/commands/surfaces/' },
  },
  {
    name: 'command-core-stands-alone',
    comment: 'The core of the commands knows no subject',
    from: { path: '^src/commands/core/' },
    to: { path: '^src/commands/', pathNot: '^src/commands/core/' },
  },
  {
    name: 'server-imports',
    comment: 'The server shares the contract and the domain with the console, and nothing else',
    from: { path: '^server/', pathNot: '^server/demo/' },
    to: { path: '^(src|simulator|tests|scripts)/', pathNot: '^src/(api/contract|domain)/' },
  },
  {
    name: 'demo-imports',
    comment: 'The demo has a past, which is made by the model of a unit that the simulator goes on with',
    from: { path: '^server/demo/' },
    to: { path: '^(src|simulator|tests|scripts)/', pathNot: '^(src/(api/contract|domain)|simulator/model)/' },
  },
  {
    name: 'simulator-imports',
    from: { path: '^simulator/' },
    to: { path: '^(src|server)/', pathNot: '^(src/domain|server/protocol)/' },
  },
  {
    name: 'console-imports',
    comment: 'The console never takes in the server, a test or a script',
    from: { path: '^src/' },
    to: { path: '^(server|simulator|tests|scripts)/' },
  },
  {
    name: 'fetch-only-in-api',
    from: { path: '^src/', pathNot: '^src/api/' },
    to: { path: '/wretch/' },
  },
  { name: 'no-cycles', from: {}, to: { circular: true } },
  {
    name: 'no-orphans',
    comment: 'Nobody imports it',
    from: { orphan: true, path: '^(src|server|simulator)/', pathNot: '[.]d[.]ts$' },
    to: {},
  },
  {
    name: 'no-barrels',
    comment: 'Import from the file that has it',
    from: {},
    to: { path: '/index[.]tsx?$', pathNot: 'node_modules' },
  },
  { name: 'resolvable', from: {}, to: { couldNotResolve: true, pathNot: '[.]css$' } },
]

module.exports = {
  forbidden: [...oneWay, ...rules.map(rule => ({ severity: 'error', ...rule }))],
  options: {
    // The cruiser does not know TypeScript 7's compiler and would silently read no module at all.
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
