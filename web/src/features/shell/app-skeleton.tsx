/**
 * The same markup as in index.html, which displays it before the scripts run (styles/app-skeleton.css); rendered
 * until the session is loaded.
 */
export function AppSkeleton() {
  return (
    <div className="app-skeleton" role="status" aria-label="Loading">
      <div className="app-skeleton-sidebar">Rollcall</div>
    </div>
  )
}
