/** As in index.html, which shows it before the scripts run (styles/app-skeleton.css); stays until the session is known. */
export function AppSkeleton() {
  return (
    <div className="app-skeleton" role="status" aria-label="Loading">
      <div className="app-skeleton-sidebar">Rollcall</div>
    </div>
  )
}
