/** As in index.html, which shows it before the scripts run (styles/outline.css); stays until the session is known. */
export function AppSkeleton() {
  return (
    <div className="outline" role="status" aria-label="Loading">
      <div className="outline-side">Rollcall</div>
    </div>
  )
}
