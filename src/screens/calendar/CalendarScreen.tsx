export const CalendarScreen = () => <h1 tabIndex={-1}>Calendar</h1>
