# rf_add_layer(NAME source...): one static library per layer of src/layers.txt.
# Each layer publishes src/ as include path and links the layers below it, so
# that a test of one layer gets that layer and nothing above it.
set(RINGFENCE_LAYERS "" CACHE INTERNAL "layers added so far, lowest first")

function(rf_add_layer name)
  add_library(rf_${name} STATIC ${ARGN})
  target_include_directories(rf_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(rf_${name} PRIVATE ringfence_warnings)
  target_link_libraries(rf_${name} PUBLIC ringfence_code)
  foreach(lower IN LISTS RINGFENCE_LAYERS)
    target_link_libraries(rf_${name} PUBLIC rf_${lower})
  endforeach()
  set(layers ${RINGFENCE_LAYERS} ${name})
  set(RINGFENCE_LAYERS "${layers}" CACHE INTERNAL "")
endfunction()
