// What the site adds to the players: options of the directive `stepper`.
(function () {
  "use strict";
  function options() {
    for (const place of document.querySelectorAll(".stepper")) {
      const player = place.querySelector(".minitorch-player")?.player;
      if (!player) continue;
      if ("start" in place.dataset) player.go(Number(place.dataset.start));
      if ("predict" in place.dataset) player.predict.click();
    }
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", options);
  else options();
})();
