// Defines the images toolkit. A service of the operator generates the images, which are written to files.
import { defineToolkit } from "../../tools/toolkit.ts";
import { createImageService } from "./image-service.ts";
import { imageToImage, textToImage } from "./tools.ts";

export const images = defineToolkit({
  name: "images",
  parts: ["images", "fetch", "files"],
  offered: "on request",
  tools: ({ images: settings, fetch, files }) => {
    const service = createImageService(fetch, settings);
    return [textToImage(service, files), imageToImage(service, files)];
  },
});
