// Runs before anything is painted, so that a chosen theme never flashes in the other one, and so that the skeleton in
// index.html stands where the layout will. Pages before sign-in have none.
const page = document.documentElement
try {
  const chosen = localStorage.getItem('rollcall-theme')
  if (chosen === 'dark' || chosen === 'light') page.dataset.mantineColorScheme = chosen
  if (localStorage.getItem('rollcall-sidebar-narrow') === 'true') page.dataset.skeleton = 'narrow'
} catch {
  // without storage the system decides
}
if (/^\/(sign-in|reset-password|invitation)/.test(location.pathname)) page.dataset.skeleton = 'none'
