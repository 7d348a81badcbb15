const slides = [...document.querySelectorAll("section")];
const [back, next] = document.querySelectorAll("nav button");
const place = document.querySelector("nav span");
let shown = 0;
function show(number) {
  shown = Math.max(0, Math.min(slides.length - 1, number));
  slides.forEach((slide, at) => slide.classList.toggle("shown", at === shown));
  place.textContent = (shown + 1) + " / " + slides.length;
  back.disabled = shown === 0;
  next.disabled = shown === slides.length - 1;
  history.replaceState(null, "", "#" + (shown + 1));
  scrollTo(0, 0);
}
const keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -1e9, End: 1e9 };
addEventListener("keydown", event => {
  if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey && event.target.tagName !== "BUTTON") {
    event.preventDefault();
    show(shown + keys[event.key]);
  }
});
back.addEventListener("click", () => show(shown - 1));
next.addEventListener("click", () => show(shown + 1));
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
document.documentElement.classList.add("slides");
show(Number(location.hash.slice(1)) - 1 || 0);
