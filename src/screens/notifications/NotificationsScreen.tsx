export const NotificationsScreen = () => <h1 tabIndex={-1}>Notifications</h1>
