// Moves the lines of the charts to the frame of a worst place, and to the clip and the frame of the page's address. The
// page is complete without this script.
"use strict";
function moveCursors(clip, frame) {
  document.dispatchEvent(new CustomEvent("skinbake-cursor", { detail: { clip, frame } }));
}
for (const place of document.querySelectorAll("button.place")) {
  place.addEventListener("click", () => moveCursors(place.dataset.clip ?? "", Number(place.dataset.frame)));
}

// The address "#clip=Walk&frame=31", to which an overview links: opens the curves of the clip and goes to the frame.
function goToAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1)), frame = Number(wanted.get("frame") ?? 0);
  const pairs = [...document.querySelectorAll("details.pair")].filter(({ dataset }) => (dataset.clip || "rest pose") === wanted.get("clip"));
  if (pairs.length === 0) return;
  for (const pair of pairs) pair.open = true;
  const { clip } = pairs[0].dataset;
  if (Number.isInteger(frame) && frame >= 0) {
    moveCursors(clip, frame);
    document.dispatchEvent(new CustomEvent("skinbake-seek", { detail: { clip, frame } }));
  }
  (document.querySelector("#view:not([hidden])") ?? pairs[0]).scrollIntoView();
}
addEventListener("hashchange", goToAddress);
document.addEventListener("DOMContentLoaded", goToAddress);  // the viewer listens by then
