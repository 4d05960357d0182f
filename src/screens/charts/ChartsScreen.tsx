export const ChartsScreen = () => <h1 tabIndex={-1}>Charts</h1>
