// The ticket stands in the fragment, which browsers do not send.
window.addEventListener('DOMContentLoaded', () => {
  const ticket = decodeURIComponent(location.hash.slice(1))
  if (ticket) document.getElementById('ticket').value = ticket
})
