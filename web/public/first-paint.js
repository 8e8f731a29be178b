// Runs before anything is painted, so that a chosen theme never flashes in the other one.
try {
  const chosen = localStorage.getItem('rollcall-theme')
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.mantineColorScheme = chosen
} catch {
  // without storage the system decides
}
